import Primitives

/// The changes by a group of operations, written in one transaction in this order.
package struct LedgerChanges: Equatable, Sendable {
    package struct Record<Value: Equatable & Sendable>: Equatable, Sendable {
        package enum State: Sendable {
            /// As stored.
            case stored
            /// Stored with other values.
            case changed
            /// Not stored yet.
            case added
        }

        package var value: Value
        package var state: State

        mutating func change(_ body: (inout Value) -> Void) {
            body(&value)
            if state == .stored { state = .changed }
        }
    }

    package var accounts: [Record<LedgerAccount>] = []
    package var cards: [CardRecord] = []
    package var defaultCards: [PartyID: CardID] = [:]
    package var holds: [Record<Hold>] = []
    package var refunds: [Record<RefundTotal>] = []
    package var entries: [LedgerEntry] = []
    package var journal: [JournalRow] = []

    package var isEmpty: Bool {
        entries.isEmpty && journal.isEmpty && defaultCards.isEmpty && !accounts.contains { $0.state != .stored }
    }
}
