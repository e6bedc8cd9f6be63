import Contracts

/// Finds the route of a request.
package struct RouteTree: Sendable {
    /// A path and what may be done with it.
    struct Place: Sendable {
        let path: RoutePath
        /// Routes by method, with their indexes in the table.
        var routes: [(index: Int, route: Route)] = []

        var allow: String { routes.map(\.route.method.rawValue).sorted().joined(separator: ", ") }

        func route(_ method: String) -> (index: Int, route: Route)? {
            routes.first { $0.route.method.rawValue == method }
        }
    }

    private var fixed: [String: Place] = [:]
    /// Those with an identifier in them. Few enough that looking at one after the other is fastest.
    private var patterns: [Place] = []

    package init(_ routes: [Route]) {
        for (index, route) in routes.enumerated() {
            if route.path.parameter == nil {
                fixed[route.path.text, default: Place(path: route.path)].routes.append((index, route))
            } else if let at = patterns.firstIndex(where: { $0.path == route.path }) {
                patterns[at].routes.append((index, route))
            } else {
                patterns.append(Place(path: route.path, routes: [(index, route)]))
            }
        }
    }

    /// The place of a path, and what stands where its identifier belongs. A fixed path goes before a pattern.
    func find(_ path: String) -> (place: Place, parameter: Substring?)? {
        if let place = fixed[path] { return (place, nil) }
        let utf8 = path.utf8
        for place in patterns {
            let (prefix, suffix) = (place.path.prefix.utf8, place.path.suffix.utf8)
            guard utf8.count > prefix.count + suffix.count, utf8.starts(with: prefix),
                utf8.suffix(suffix.count).elementsEqual(suffix)
            else { continue }
            let middle = path.utf8.dropFirst(prefix.count).dropLast(suffix.count)
            guard !middle.contains(UInt8(ascii: "/")) else { continue }
            return (place, Substring(middle))
        }
        return nil
    }
}
