/// The list of all messages.
extension Contracts {
    var catalogue: String {
        let services = declarations.filter { $0.serviceName != nil }.sorted { $0.name < $1.name }
        let own = declarations.filter { $0.messageType != nil && !$0.isGeneric }
        func members(_ service: Declaration, _ protocolName: String) -> [String] {
            own.filter { $0.path[0] == service.name && $0.conforms(to: protocolName) }.map(\.name)
        }
        let asks = services.map { service in
            members(service, "Ask")
                + shared.filter { service.conforms(to: $0.by) || $0.by == "BusService" }
                .map { "\($0.ask)<\(service.name)>" }
        }
        let facts = services.map { service in
            members(service, "Fact") + (service.conforms(to: "FactSource") ? ["FactsHead<\(service.name)>"] : [])
        }
        return """
            /// Every message there is.
            extension Catalogue {
                package static let asks: [any Ask.Type] = [
            \(list(asks))
                ]

                package static let facts: [any Fact.Type] = [
            \(list(facts))
                ]
            }

            """
    }

    /// The asks that a service has by what it is.
    private var shared: [(ask: String, by: String)] {
        [
            ("ReadFacts", "FactSource"), ("ReadTable", "TableSource"), ("WriteBackup", "DataOwner"),
            ("FollowState", "StateOwner"), ("ReadState", "StateOwner"), ("SealState", "StateOwner"),
            ("MoveCursor", "FactConsumer"),
            ("ReadStats", "BusService"), ("ReadSpans", "BusService")
        ]
    }

    private func list(_ groups: [[String]]) -> String {
        groups.filter { !$0.isEmpty }.map { $0.map { "        \($0).self," }.joined(separator: "\n") }
            .joined(separator: "\n")
    }
}
