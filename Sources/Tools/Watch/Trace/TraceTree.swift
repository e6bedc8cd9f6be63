import Bus
import Contracts
import Primitives
import Wire

/// All that one HTTP request, touch or ask has led to, as far as it is known: by cause, then by time.
package struct TraceTree: Sendable, Equatable {
    package struct Node: Sendable, Equatable {
        /// Nil for a message that must have existed and that no process remembers.
        package let point: TracePoint?
        package var children: [Node]
    }

    package let correlation: MessageID
    package let root: Node
    /// When it began, in microseconds since 1970.
    package let startMicroseconds: Int64

    /// One tree for each correlation, oldest first.
    package static func trees(of points: [TracePoint]) -> [TraceTree] {
        Dictionary(grouping: points, by: \.correlation).map { TraceTree($0, $1) }
            .sorted { $0.startMicroseconds < $1.startMicroseconds }
    }

    private init(_ correlation: MessageID, _ points: [TracePoint]) {
        self.correlation = correlation
        var seen: Set<MessageID> = []
        // An ask that was sent again under its id has been answered twice; a fact that was read twice is one.
        let points = points.sorted(by: Self.comesFirst).filter { $0.kind != .fact || seen.insert($0.id).inserted }
        let known = Set(points.map(\.id))
        /// By the place of the point that led to each; nil where that is the beginning.
        var led: [MessageID?: [TracePoint]] = [:]
        let first = points.first { $0.id == correlation && $0.kind != .fact }
        for point in points where point != first {
            let parent = point.parent.flatMap { known.contains($0) && $0 != point.id ? $0 : nil }
            led[parent == first?.id ? nil : parent, default: []].append(point)
        }
        func grown(_ point: TracePoint, _ path: Set<MessageID>) -> Node {
            // What foreign peers say of causes may go round in a circle.
            guard !path.contains(point.id), path.count < Self.depthMax else { return Node(point: point, children: []) }
            let children = led.removeValue(forKey: point.id) ?? []
            return Node(point: point, children: children.map { grown($0, path.union([point.id])) })
        }
        var children = (led.removeValue(forKey: nil) ?? []).map { grown($0, []) }
        // What is left hangs together in circles only.
        while let rest = led.first {
            led[rest.key] = nil
            children += rest.value.map { Node(point: $0, children: []) }
        }
        // A lone ask that began it all needs nobody above it.
        root = Node(point: first, children: children)
        startMicroseconds = first?.startMicroseconds ?? points.first?.startMicroseconds ?? 0
    }

    private static let depthMax = 64

    private static func comesFirst(_ one: TracePoint, _ other: TracePoint) -> Bool {
        // A fact's time is cut to milliseconds: within one, it comes after the ask that it follows from.
        let (left, right) = (one.order, other.order)
        return left < right
    }

    package var json: JSONValue {
        ["correlation": .string(correlation.hex), "root": json(root)]
    }

    private func json(_ node: Node) -> JSONValue {
        var members: [JSONValue.Member] = []
        if let point = node.point {
            members = [
                .init("kind", .string(point.kind.rawValue)), .init("name", .string(point.name)),
                .init("service", .string(point.service)), .init("id", .string(point.id.hex)),
                .init("time", .string(Timestamp(milliseconds: point.startMicroseconds / 1000).rfc3339)),
                .init("offsetMicroseconds", .integer(offset(point)))
            ]
            if let microseconds = point.microseconds { members.append(.init("microseconds", .integer(microseconds))) }
            if let status = point.status { members.append(.init("status", .integer(Int64(status)))) }
            if let fault = point.fault { members.append(.init("fault", .string(fault))) }
            if let sequence = point.sequence { members.append(.init("sequence", .integer(sequence))) }
            if let data = point.data { members.append(.init("data", Redaction.masked(data))) }
        } else {
            members = [.init("kind", "forgotten"), .init("id", .string(correlation.hex))]
        }
        members.append(.init("children", .array(node.children.map(json))))
        return .object(members)
    }

    /// Microseconds from the beginning; never below zero, as a fact's time is cut to milliseconds.
    func offset(_ point: TracePoint) -> Int64 { max(0, point.startMicroseconds - startMicroseconds) }
}

extension TracePoint {
    fileprivate var order: (Int64, Int64) {
        kind == .fact ? (startMicroseconds + 999, sequence ?? 0) : (startMicroseconds, 0)
    }
}
