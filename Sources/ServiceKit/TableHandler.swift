import Bus
import Contracts

/// Answers who reads one of a service's printed tables.
package struct TableHandler<Service: TableSource>: Answering {
    package typealias Read = @Sendable (_ table: PrintedTable, _ after: Int64, _ limit: Int) async throws -> TablePage

    private let read: Read

    package init(_ service: Service.Type, read: @escaping Read) { self.read = read }

    package func answer(_ ask: ReadTable<Service>, in context: AskContext) async throws(Fault) -> TablePage {
        do { return try await read(ask.table, ask.after, ask.limit) } catch { throw Fault(.unavailable) }
    }
}
