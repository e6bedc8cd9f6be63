/// Where a store under test keeps its data.
package enum StoreKind: CaseIterable, CustomStringConvertible, Sendable {
    case inMemory, file

    package var description: String {
        switch self {
        case .inMemory: "SQLite in memory"
        case .file: "SQLite file"
        }
    }
}
