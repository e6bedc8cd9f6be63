import ServiceKit

/// The pages of a set, and who each is for.
package enum SetLinks {
    private static let pages = [
        ("entrance", "/", "the way to each app"), ("wallet", "/wallet", "for customers"),
        ("till", "/till", "for merchants"), ("desk", "/desk", "for administrators"),
        ("touch app", "/touch", "pay codes and cards on a grid"),
        ("operator's page", "/ops", "all services at a glance"),
        ("HTTP API", "/openapi.json", "for programs: OpenAPI"), ("health", "/health", "for monitoring")
    ]

    /// One line for each page; none where no gateway of the set serves.
    package static func lines(run: String) -> [String] {
        guard case .serving(let address, _) = GatewayAddress.read(in: run) else { return [] }
        let width = (pages.map(\.0.count).max() ?? 0, pages.map(\.1.count).max() ?? 0)
        return pages.map { name, path, whom in
            let label = name.padding(to: width.0)
            return "  \(label)  http://\(address)\(path.padding(to: width.1))  \(whom)"
        }
    }
}

extension String {
    fileprivate func padding(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
