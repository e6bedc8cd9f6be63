import Contracts
import Primitives

/// What an account stands for. The raw value is what is stored.
package enum AccountKind: Int64, Sendable, CaseIterable {
    /// A customer's card. Never below zero, nor below what is held on it.
    case card = 1
    /// A merchant's takings. Never below zero.
    case merchant = 2
    /// Where reloads come from. Below zero by all that was reloaded.
    case funding = 3
    /// Where opening balances come from (000-95). Below zero by all that was given.
    case issuing = 4

    /// As people and `wallet.ledger.read.v1` call it.
    package var name: String {
        switch self {
        case .card: "card"
        case .merchant: "merchant"
        case .funding: "funding"
        case .issuing: "issuing"
        }
    }

    /// Whether it belongs to a user and so must not go below zero.
    package var isUsers: Bool { self == .card || self == .merchant }
}

/// One account of the ledger as it stands between two entries. Amounts in minor units of `currency`.
package struct LedgerAccount: Equatable, Sendable {
    /// Half the range: the sum of any two ledger-owned balances, and so of all users' balances, fits 64 bits.
    package static let balanceMax = Int64.max / 2

    package let id: AccountID
    package let kind: AccountKind
    /// The customer or merchant; for the ledger's own accounts the account itself.
    package let owner: PartyID
    package let currency: Currency
    package var balance: Int64
    /// What of the balance open holds have set aside; cards only.
    package var held: Int64
    /// The newest entry that moved it; 0 when there is none.
    package var lastEntry: Int64

    package init(
        id: AccountID, kind: AccountKind, owner: PartyID, currency: Currency, balance: Int64 = 0, held: Int64 = 0,
        lastEntry: Int64 = 0
    ) {
        self.id = id
        self.kind = kind
        self.owner = owner
        self.currency = currency
        self.balance = balance
        self.held = held
        self.lastEntry = lastEntry
    }

    /// What can be spent. The schema keeps `0 <= held <= balance` for users' accounts, so this cannot overflow there.
    package var available: Int64 { balance - held }

    /// The balance with a movement added, or nil where it would leave the range of an account.
    package func balance(adding amount: Int64) -> Int64? {
        let (sum, overflow) = balance.addingReportingOverflow(amount)
        return overflow || sum > Self.balanceMax || sum < -Self.balanceMax ? nil : sum
    }
}

extension LedgerAccount {
    /// The ledger's own account of a kind and currency: its name in ASCII, padded with zero bytes (`funding:USD`).
    package static func ownID(_ kind: AccountKind, _ currency: Currency) -> AccountID {
        var low: UInt64 = 0
        for letter in currency.code.utf8 { low = low << 8 | UInt64(letter) }
        return AccountID(high: kind == .funding ? fundingPrefix : issuingPrefix, low: low << 40)
    }

    /// Whether an identifier is in the ledger's own range, where no user's account may lie.
    package static func isReserved(_ id: AccountID) -> Bool { id.high == fundingPrefix || id.high == issuingPrefix }

    private static let fundingPrefix = prefix("funding:")
    private static let issuingPrefix = prefix("issuing:")

    private static func prefix(_ name: StaticString) -> UInt64 {
        (0..<8).reduce(0) { $0 << 8 | UInt64(name.utf8Start[$1]) }
    }
}
