import Contracts
import Foundation
import GRDB
import Primitives
import Storage
import Wire

extension Market {
    /// All that the file has but offers that have ended.
    init(_ database: Database, at now: Timestamp) throws {
        self.init()
        try loadAccounts(database)
        try loadWants(database)
        try loadHistories(database)
        let offers = try Row.fetchCursor(
            database, sql: "SELECT * FROM offers WHERE expires >= ? ORDER BY number", arguments: [now.column])
        while let row = try offers.next() { put(try Offer(row)) }
    }

    private mutating func loadAccounts(_ database: Database) throws {
        let accounts = try Row.fetchCursor(database, sql: "SELECT * FROM accounts")
        while let row = try accounts.next() { note(try Account(row)) }
        let products = try Row.fetchCursor(database, sql: "SELECT * FROM products ORDER BY product_index")
        while let row = try products.next() {
            changeMerchant(try row.identifier("merchant")) {
                $0.productTypes.append(Offers.ProductType(productIndex: row["product_index"], type: row["type"]))
            }
        }
    }

    private mutating func loadWants(_ database: Database) throws {
        let subscriptions = try Row.fetchCursor(database, sql: "SELECT * FROM subscriptions")
        while let row = try subscriptions.next() {
            subscribe(
                try row.identifier("customer"), to: try row.identifier("merchant"),
                Offers.Subscription(ads: row["ads"], coupons: row["coupons"]))
        }
        let preferences = try Row.fetchCursor(database, sql: "SELECT * FROM preferences")
        while let row = try preferences.next() {
            let body = try Offers.Preferences(json: [UInt8](row["body"] as Data))
            setPreferences(body, of: try row.identifier("customer"))
        }
        let members = try Row.fetchCursor(database, sql: "SELECT * FROM members")
        while let row = try members.next() {
            changeCustomer(try row.identifier("customer")) { $0.joined = row.time("since") }
        }
    }

    private mutating func loadHistories(_ database: Database) throws {
        let histories = try Row.fetchCursor(database, sql: "SELECT * FROM histories")
        while let row = try histories.next() {
            let merchant: PartyID = try row.identifier("merchant")
            changeCustomer(try row.identifier("customer")) {
                $0.histories[merchant] = History(
                    visits: row["visits"], last: row.time("last"), stars: row["stars"])
            }
        }
        let reservations = try Row.fetchCursor(database, sql: "SELECT * FROM reservations WHERE state < 2")
        while let row = try reservations.next() {
            let reservation = try Reservation(row)
            count(reservation, 1)
            if reservation.state == .open { reserve(reservation.charge) }
        }
    }

    mutating func setPreferences(_ preferences: Offers.Preferences, of customer: PartyID) {
        changeCustomer(customer) {
            $0.wants = Wants(preferences)
            $0.muted = Set(preferences.muted)
            $0.utcOffsetMinutes = preferences.utcOffsetMinutes
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

/// A customer or a merchant as auth tells of them.
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
            id: try row.identifier("account"), role: try row.choice("role"), username: row["username"],
            name: row["name"],
            profile: Profile(
                birthdate: (row["birthdate"] as String?).flatMap { CivilDate($0) },
                gender: try row.choiceIfAny("gender"), student: row["student"]), status: try row.choiceIfAny("status"))
    }
}

extension Offer {
    init(_ row: Row) throws {
        self.init(
            id: try row.identifier("id"), kind: try row.choice("kind"), merchant: try row.identifier("merchant"),
            terms: try JSONValue(parsing: [UInt8](row["terms"] as Data)).decode(Offers.Terms.self),
            accepted: try row.choice("accepted"), reason: row["reason"], enabled: row["enabled"],
            revision: row["revision"], submitted: row.time("submitted"), decided: row.timeIfAny("decided"))
    }

    var termsColumn: Data { Data(JSONValue.encoding(terms).text.utf8) }
}

extension Reservation {
    init(_ row: Row) throws {
        guard let state = State(rawValue: row["state"]) else { throw StoreFailure.damaged("a reservation") }
        self.init(
            coupon: try row.identifier("coupon"), charge: try row.identifier("charge"),
            customer: try row.identifier("customer"), merchant: try row.identifier("merchant"),
            amount: try row.money("amount"), discount: try row.money("discount"), stars: row["stars"], state: state)
    }
}
