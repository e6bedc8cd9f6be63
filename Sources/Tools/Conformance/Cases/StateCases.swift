import Contracts
import Primitives
import Wire

/// Cases of services that hand their state over.
enum StateCases {
    private static let rowsAtOnce = 100

    static func cases(of service: String) -> [Case] {
        func state<Owner: StateOwner>(_ owner: Owner.Type) -> Case { Self.state(owner) }
        return (Catalogue.service(service) as? any StateOwner.Type).map { [state($0)] } ?? []
    }

    private static func state<Owner: StateOwner>(_ owner: Owner.Type) -> Case {
        Case(
            "\(Owner.service)/state",
            "a state that is handed over has the contract's tables, and each is read to its end, with all columns",
            .changing, type: FollowState<Owner>.type
        ) { trial in
            let followed = try await trial.asker.ask(FollowState<Owner>())
            let (names, wanted) = (followed.tables.map(\.name).sorted(), Owner.stateTables.map(\.name).sorted())
            try require(names == wanted, "its tables are \(names), and should be \(wanted)")
            for table in followed.tables {
                let own = Owner.stateTables.first { $0.name == table.name }
                try require(
                    Self.words(table.columns) == Self.words(own?.columns ?? []),
                    "the columns of \(table.name) are \(Self.words(table.columns)), and should be "
                        + "\(Self.words(own?.columns ?? []))")
                try await Self.read(table, of: Owner.self, followed.copy, trial)
            }
        }
    }

    /// In whatever order they are named.
    private static func words(_ columns: [StateColumn]) -> [String] {
        columns.map { "\($0.name) \($0.kind)\($0.isKey ? " (key)" : "")" }.sorted()
    }

    private static func read<Owner: StateOwner>(
        _ table: StateTable, of owner: Owner.Type, _ copy: Int64, _ trial: Trial
    ) async throws {
        let end = ContinuousClock.now + .seconds(30)
        var place: String?
        while ContinuousClock.now < end {
            let page = try await trial.asker.ask(
                ReadState<Owner>(copy: copy, table: table.name, after: place, limit: rowsAtOnce))
            try require(page.rows.count <= rowsAtOnce, "a page of \(table.name) has \(page.rows.count) rows")
            for row in page.rows { try check(row, table.columns, of: table) }
            for row in page.removed { try check(row, table.columns.filter(\.isKey), of: table) }
            if page.isEnd { return }
            place = page.next
        }
        throw Wrong("\(table.name) is not read to its end after 30 s")
    }

    private static func check(_ row: RawJSON, _ columns: [StateColumn], of table: StateTable) throws {
        guard case .object(let members)? = try? JSONValue(parsing: row.bytes) else {
            throw Wrong("a row of \(table.name) is no object")
        }
        let names = columns.map(\.name).sorted()
        try require(
            members.map(\.key).sorted() == names,
            "a row of \(table.name) has the columns \(members.map(\.key).sorted()), and should have \(names)")
        for column in columns {
            guard let value = members.first(where: { $0.key == column.name })?.value else { continue }
            try require(
                isOf(column, value), "\(column.name) of a row of \(table.name) is no \(column.kind): \(value.text)")
        }
    }

    private static func isOf(_ column: StateColumn, _ value: JSONValue) -> Bool {
        switch (column.kind, value) {
        case (_, .null): !column.isKey
        case ("integer", .integer), ("text", .string): true
        case ("bytes", .string(let digits)):
            digits.utf8.count.isMultiple(of: 2) && digits.allSatisfy { $0.isHexDigit && !$0.isUppercase }
        case ("bytes", .object(let members)): members.map(\.key) == ["base64"]
        default: false
        }
    }
}
