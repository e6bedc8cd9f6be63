import Contracts
import Primitives

/// The kind of an account. The raw value is stored.
package enum AccountKind: Int64, Sendable, CaseIterable {
    /// A customer's card. Never below zero, nor below the held amount.
    case card = 1
    /// A merchant's account. Never below zero.
    case merchant = 2
    /// The source of reloads. Below zero by their sum.
    case funding = 3
    /// The source of opening balances. Below zero by their sum.
    case issuing = 4

    /// The name in `wallet.ledger.read.v1`.
    package var name: String {
        switch self {
        case .card: "card"
        case .merchant: "merchant"
        case .funding: "funding"
        case .issuing: "issuing"
        }
    }

    /// Whether it belongs to a user; its balance is then never below zero.
    package var isUsers: Bool { self == .card || self == .merchant }
}

/// One account of the ledger, between two entries. Amounts are minor units of `currency`.
package struct LedgerAccount: Equatable, Sendable {
    /// Half the range of 64 bits, so that the sum of two of the ledger's own balances, and so of all users' balances,
    /// fits.
    package static let balanceMax = Int64.max / 2

    package let id: AccountID
    package let kind: AccountKind
    /// The customer or merchant; for the ledger's own accounts, the account itself.
    package let owner: PartyID
    package let currency: Currency
    package var balance: Int64
    /// The part of a card's balance that open holds reserve.
    package var held: Int64
    /// The newest entry of the account; 0 if there is none.
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

    /// The amount that can be spent. Cannot overflow: the schema keeps `0 <= held <= balance` for users' accounts.
    package var available: Int64 { balance - held }

    /// The balance after a movement; nil if it would leave the account's range.
    package func balance(adding amount: Int64) -> Int64? {
        let (sum, overflow) = balance.addingReportingOverflow(amount)
        return overflow || sum > Self.balanceMax || sum < -Self.balanceMax ? nil : sum
    }
}

extension LedgerAccount {
    /// The id of the ledger's own account of a kind and currency: its name in ASCII, padded with zero bytes
    /// (`funding:USD`).
    package static func ownID(_ kind: AccountKind, _ currency: Currency) -> AccountID {
        var low: UInt64 = 0
        for letter in currency.code.utf8 { low = low << 8 | UInt64(letter) }
        return AccountID(high: kind == .funding ? fundingPrefix : issuingPrefix, low: low << 40)
    }

    /// Whether an identifier is in the ledger's own range, which no user's account may use.
    package static func isReserved(_ id: AccountID) -> Bool { id.high == fundingPrefix || id.high == issuingPrefix }

    private static let fundingPrefix = prefix("funding:")
    private static let issuingPrefix = prefix("issuing:")

    private static func prefix(_ name: StaticString) -> UInt64 {
        (0..<8).reduce(0) { $0 << 8 | UInt64(name.utf8Start[$1]) }
    }
}
