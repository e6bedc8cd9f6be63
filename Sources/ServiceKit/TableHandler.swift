import Bus
import Contracts

/// Answers who reads one of a service's printed tables (A30).
package struct TableHandler<Service: BusService>: Answering {
    package typealias Read = @Sendable (_ table: PrintedTable, _ after: Int64, _ limit: Int) async throws -> TablePage

    private let read: Read

    package init(_ service: Service.Type, read: @escaping Read) { self.read = read }

    package func answer(_ ask: ReadTable<Service>, in context: AskContext) async throws(Fault) -> TablePage {
        guard context.actor.map({ $0.role == .administrator }) ?? true else { throw Fault(.forbidden) }
        guard ask.table.service == Service.service else {
            throw Fault(.malformed, "'\(ask.table.rawValue)' is kept by \(ask.table.service)")
        }
        guard (1...100).contains(ask.limit), ask.after >= 0 else {
            throw Fault(.malformed, "'limit' is 1 to 100, and 'after' is not below 0")
        }
        do { return try await read(ask.table, ask.after, ask.limit) } catch { throw Fault(.unavailable) }
    }
}
