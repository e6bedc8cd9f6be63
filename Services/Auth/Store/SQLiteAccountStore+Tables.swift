import Bus
import Contracts
import Storage
import Wire

extension SQLiteAccountStore {
    /// A page of one of the printed tables (A30), without what must not leave: `pwd` is shown as NULL.
    package func table(_ table: PrintedTable, after: Int64, limit: Int) async throws -> TablePage {
        try await read { database in
            let page = try PrintedView.page(
                database, table.rawValue, after: after, limit: limit, bytesMax: FactsPage.bytesMax)
            return TablePage(rows: try page.rows.map(withoutSecret), next: page.next)
        }
    }

    private func withoutSecret(_ row: [UInt8]) throws -> RawJSON {
        guard case .object(let members) = try JSONValue(parsing: row) else { return RawJSON(row) }
        var writer = JSONWriter()
        JSONValue.object(members.map { $0.key == "pwd" ? .init("pwd", .null) : $0 }).write(to: &writer)
        return RawJSON(writer.bytes)
    }
}
