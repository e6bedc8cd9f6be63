import Contracts
import Primitives
import Storage
import Wire

extension OfferIndex {
    /// Loads everything except offers that have ended.
    init(_ transaction: Transaction, at now: Timestamp) throws {
        self.init(from: now)
        try loadAccounts(transaction)
        try loadWants(transaction)
        try loadHistories(transaction)
        try transaction.each("SELECT * FROM offers WHERE expires >= ? ORDER BY number", now) { row in
            put(try Offer(row))
            return true
        }
        try loadUses(transaction)
    }

    private mutating func loadAccounts(_ transaction: Transaction) throws {
        try transaction.each("SELECT * FROM accounts") { row in
            note(try Account(row))
            return true
        }
        try transaction.each("SELECT * FROM products ORDER BY product_index") { row in
            let type = Offers.ProductType(productIndex: try row["product_index"], type: try row["type"])
            changeMerchant(try row["merchant"]) { $0.productTypes.append(type) }
            return true
        }
    }

    private mutating func loadWants(_ transaction: Transaction) throws {
        try transaction.each("SELECT * FROM subscriptions") { row in
            subscribe(
                try row["customer"], to: try row["merchant"],
                Offers.Subscription(ads: try row["ads"], coupons: try row["coupons"]))
            return true
        }
        try transaction.each("SELECT * FROM preferences") { row in
            setPreferences(try Offers.Preferences(json: try row["body"]), of: try row["customer"])
            return true
        }
        try transaction.each("SELECT * FROM members") { row in
            let since: Timestamp = try row["since"]
            changeCustomer(try row["customer"]) { $0.joined = since }
            return true
        }
    }

    private mutating func loadHistories(_ transaction: Transaction) throws {
        try transaction.each("SELECT customer, merchant, visits, last, stars FROM histories") { row in
            let merchant: PartyID = try row[1]
            let history = History(visits: try row[2], last: try row[3], stars: try row[4])
            changeCustomer(try row[0]) { $0.histories[merchant] = history }
            return true
        }
        try transaction.each(
            """
            SELECT customer, merchant, CAST(sum(stars) AS INTEGER) FROM reservations WHERE stars > 0 AND state = 1
            GROUP BY customer, merchant
            """
        ) { row in
            let (merchant, spent) = (try row[1] as PartyID, try row[2] as Int)
            changeCustomer(try row[0]) { $0.histories[merchant, default: History()].starsSpent = spent }
            return true
        }
    }

    private mutating func loadUses(_ transaction: Transaction) throws {
        // SQLite visits the left side of a CROSS JOIN first, so coupons that have ended are not read.
        try transaction.each(
            """
            SELECT r.coupon, r.customer FROM offers o CROSS JOIN reservations r
            WHERE o.expires >= ? AND r.coupon = o.id AND r.state = 1
            """, start
        ) { row in
            count(try row[0], by: try row[1], 1)
            return true
        }
        try transaction.each("SELECT * FROM reservations WHERE state = 0") { row in
            let reservation = try Reservation(row)
            count(reservation, 1)
            reserve(reservation.charge)
            return true
        }
    }

    mutating func setPreferences(_ preferences: Offers.Preferences, of customer: PartyID) {
        changeCustomer(customer) {
            $0.wants = Wants(preferences)
            $0.muted = Set(preferences.muted)
        }
    }

    mutating func note(_ account: Account) {
        if account.role == .merchant {
            changeMerchant(account.id) {
                $0.isKnown = true
                $0.name = account.name
                $0.username = account.username
                $0.isApproved = account.status == .approved || account.status == nil
            }
        } else {
            changeCustomer(account.id) {
                $0.isKnown = true
                $0.profile = account.profile
            }
        }
    }
}

/// A customer or a merchant, from auth's facts.
struct Account {
    let id: PartyID
    let role: Auth.Role
    var username: String?
    var name: String
    var profile: Profile
    var status: Auth.MerchantStatus?
}

extension Account {
    init(_ row: Row) throws {
        self.init(
            id: try row["account"], role: try row.choice("role"), username: try row["username"],
            name: try row["name"],
            profile: Profile(
                birthdate: (try row["birthdate"] as String?).flatMap { CivilDate($0) },
                gender: try row.choiceIfAny("gender"), student: try row["student"]),
            status: try row.choiceIfAny("status"))
    }
}

extension Offer {
    init(_ row: Row) throws {
        self.init(
            id: try row["id"], kind: try row.choice("kind"), merchant: try row["merchant"],
            terms: try JSONValue(parsing: try row["terms"] as [UInt8]).decode(Offers.Terms.self),
            accepted: try row.choice("accepted"), reason: try row["reason"], enabled: try row["enabled"],
            revision: try row["revision"], submitted: try row["submitted"], decided: try row["decided"],
            pushed: try row["pushed"], lastApproved: try Self.approvedRevision(try row["last_approved"]))
    }

    var termsColumn: [UInt8] { Self.column(terms) }

    var lastApprovedColumn: [UInt8]? { lastApproved.map { Self.column($0.revision) } }

    static func approvedRevision(_ column: [UInt8]?) throws -> Offers.ApprovedRevision? {
        try column.map { try JSONValue(parsing: $0).decode(Offers.ApprovedRevision.self) }
    }

    private static func column(_ value: some Encodable) -> [UInt8] {
        var writer = JSONWriter()
        writer.encode(value)
        return writer.bytes
    }
}

extension Reservation {
    init(_ row: Row) throws {
        self.init(
            coupon: try row["coupon"], charge: try row["charge"],
            customer: try row["customer"], merchant: try row["merchant"],
            amount: try row.money("amount"), discount: try row.money("discount"), stars: try row["stars"],
            state: try row.choice("state"))
    }
}
