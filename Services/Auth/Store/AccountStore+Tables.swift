import Contracts
import Wire

extension AccountStore {
    /// A page of a printed table, without secrets: `pwd` is NULL.
    package func table(_ table: PrintedTable, after: Int64, limit: Int) async throws -> TablePage {
        let page = try await store.table(table, after: after, limit: limit)
        return TablePage(rows: try page.rows.map(withoutSecret), next: page.next)
    }

    private func withoutSecret(_ row: RawJSON) throws -> RawJSON {
        guard case .object(let members) = try JSONValue(parsing: row.bytes) else { return row }
        var writer = JSONWriter()
        JSONValue.object(members.map { $0.key == "pwd" ? .init("pwd", .null) : $0 }).write(to: &writer)
        return RawJSON(writer.bytes)
    }
}
