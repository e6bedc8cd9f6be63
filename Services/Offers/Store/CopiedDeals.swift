import Bus
import Contracts
import Primitives
import Synchronization
import Wire

/// The offer index, grown from the rows of a hand-over while they are copied.
package final class CopiedDeals: CopiedMemory {
    private struct Copy {
        var index = OfferIndex()
        /// By the numbers of their rows.
        var offers: [Int64: OfferID] = [:]
        var merchants: [Int64: PartyID] = [:]
        var products: [PartyID: [Int64: String]] = [:]
        /// Those that count, open and redeemed.
        var reservations: [Int64: Reservation] = [:]
        var open: [ChargeID: Int] = [:]
        var hasQuietHours = false
        /// Whether the index has what the rows say. A row is gone that Offers itself never deletes.
        var isRight = true
    }

    private let copy = Mutex(Copy())
    private let start: Timestamp

    /// - Parameter start: offers that have ended before are left out.
    package init(at start: Timestamp) { self.start = start }

    /// Whether rows of an earlier version have quiet hours, which are to be moved.
    package var hasQuietHours: Bool { copy.withLock { $0.hasQuietHours } }

    package func put(_ rows: [StateRow], removing removed: [StateRow], in table: String) throws {
        try copy.withLock { copy in
            for row in removed { try Self.remove(row, table, &copy) }
            for row in rows { try put(row, table, &copy) }
        }
    }

    /// The index with all that was copied, once; nil where it has to be read from the file.
    func take() -> OfferIndex? {
        copy.withLock { copy in
            // Moved out, so that it is not copied when it changes.
            var taken = Copy()
            swap(&taken, &copy)
            return taken.isRight ? taken.index : nil
        }
    }

    private func put(_ row: StateRow, _ table: String, _ copy: inout Copy) throws {
        switch table {
        case "offers": try putOffer(row, &copy)
        case "accounts": copy.index.note(try Account(row))
        case "products":
            let (number, merchant) = (try row.number("product_index"), try PartyID(row, "merchant"))
            Self.removeProduct(number, &copy)
            copy.merchants[number] = merchant
            copy.products[merchant, default: [:]][number] = try row.text("type")
            Self.noteProducts(of: merchant, &copy)
        case "subscriptions":
            copy.index.subscribe(
                try PartyID(row, "customer"), to: try PartyID(row, "merchant"),
                Offers.Subscription(ads: try row.number("ads") != 0, coupons: try row.number("coupons") != 0))
        case "preferences":
            let preferences = try Self.read { try Offers.Preferences(json: try row.bytes("body")) }
            if preferences.quietFrom != nil { copy.hasQuietHours = true }
            copy.index.setPreferences(preferences, of: try PartyID(row, "customer"))
        case "members":
            let since = try row.time("since")
            copy.index.changeCustomer(try PartyID(row, "customer")) { $0.joined = since }
        case "histories":
            let merchant = try PartyID(row, "merchant")
            let known = History(
                visits: Int(try row.number("visits")), last: try row.time("last"), stars: Int(try row.number("stars")))
            copy.index.changeCustomer(try PartyID(row, "customer")) { customer in
                var history = known
                history.starsSpent = customer.histories[merchant]?.starsSpent ?? 0
                customer.histories[merchant] = history
            }
        case "reservations":
            let number = try row.number("number")
            Self.endReservation(number, &copy)
            let reservation = try Reservation(row)
            guard reservation.state != .released else { return }
            copy.reservations[number] = reservation
            copy.index.count(reservation, 1)
            guard reservation.state == .open else { return }
            copy.open[reservation.charge, default: 0] += 1
            copy.index.reserve(reservation.charge)
        default: break
        }
    }

    private static func remove(_ row: StateRow, _ table: String, _ copy: inout Copy) throws {
        switch table {
        case "offers":
            if let id = copy.offers.removeValue(forKey: try row.number("number")) { copy.index.remove(id) }
        case "accounts": copy.isRight = false
        case "products": removeProduct(try row.number("product_index"), &copy)
        case "subscriptions":
            copy.index.subscribe(try PartyID(row, "customer"), to: try PartyID(row, "merchant"), .none)
        case "preferences": copy.index.setPreferences(.usual, of: try PartyID(row, "customer"))
        case "members": copy.index.changeCustomer(try PartyID(row, "customer")) { $0.joined = nil }
        case "histories": copy.isRight = false
        case "reservations": endReservation(try row.number("number"), &copy)
        default: break
        }
    }

    private func putOffer(_ row: StateRow, _ copy: inout Copy) throws {
        let number = try row.number("number")
        let offer = try Self.read { try Offer(row) }
        if let before = copy.offers.updateValue(offer.id, forKey: number), before != offer.id {
            copy.index.remove(before)
        }
        if offer.expires >= start { copy.index.put(offer) } else { copy.index.remove(offer.id) }
    }

    private static func removeProduct(_ number: Int64, _ copy: inout Copy) {
        guard let merchant = copy.merchants.removeValue(forKey: number) else { return }
        copy.products[merchant]?[number] = nil
        noteProducts(of: merchant, &copy)
    }

    private static func noteProducts(of merchant: PartyID, _ copy: inout Copy) {
        let types = (copy.products[merchant] ?? [:]).sorted { $0.key < $1.key }.map { number, type in
            Offers.ProductType(productIndex: number, type: type)
        }
        copy.index.changeMerchant(merchant) { $0.productTypes = types }
    }

    /// Takes back what a reservation counted for, as it was known.
    private static func endReservation(_ number: Int64, _ copy: inout Copy) {
        guard let known = copy.reservations.removeValue(forKey: number) else { return }
        copy.index.count(known, -1)
        guard known.state == .open else { return }
        copy.open[known.charge, default: 0] -= 1
        if copy.open[known.charge] == 0 {
            copy.open[known.charge] = nil
            copy.index.end(known.charge)
        }
    }

    private static func read<Value>(_ body: () throws -> Value) throws(StateMismatch) -> Value {
        do { return try body() } catch { throw (error as? StateMismatch) ?? StateMismatch("\(error)") }
    }
}

extension Account {
    fileprivate init(_ row: StateRow) throws(StateMismatch) {
        self.init(
            id: try PartyID(row, "account"), role: try row.choice("role"), username: try row.textIfAny("username"),
            name: try row.text("name"),
            profile: Profile(
                birthdate: try row.textIfAny("birthdate").flatMap { CivilDate($0) },
                gender: try row.choiceIfAny("gender"), student: try row.numberIfAny("student").map { $0 != 0 }),
            status: try row.choiceIfAny("status"))
    }
}

extension Offer {
    fileprivate init(_ row: StateRow) throws {
        self.init(
            id: try OfferID(row, "id"), kind: try row.choice("kind"), merchant: try PartyID(row, "merchant"),
            terms: try JSONValue(parsing: try row.bytes("terms")).decode(Offers.Terms.self),
            accepted: try row.choice("accepted"), reason: try row.textIfAny("reason"),
            enabled: try row.number("enabled") != 0, revision: try row.number("revision"),
            submitted: try row.time("submitted"), decided: try row.timeIfAny("decided"),
            pushed: try row.timeIfAny("pushed"),
            lastApproved: try Offer.approvedRevision(try row.bytesIfAny("last_approved")))
    }
}

extension Reservation {
    fileprivate init(_ row: StateRow) throws(StateMismatch) {
        guard let currency = Currency(try row.text("currency")), let state = State(rawValue: try row.number("state"))
        else { throw StateMismatch("a reservation has no currency or state that there is") }
        self.init(
            coupon: try OfferID(row, "coupon"), charge: try ChargeID(row, "charge"),
            customer: try PartyID(row, "customer"), merchant: try PartyID(row, "merchant"),
            amount: Money(try row.number("amount"), currency), discount: Money(try row.number("discount"), currency),
            stars: Int(try row.number("stars")), state: state)
    }
}
