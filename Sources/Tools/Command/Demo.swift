import ArgumentParser
import Bus
import Foundation
import HTTPClient
import Primitives
import Wire
import World

/// The main job from the outside: a demo customer and a demo merchant, "Pay on the Go", and a charge with approval.
struct Demo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Pays on the go and approves a merchant's charge over HTTP; fails unless every balance is right.",
        discussion: """
            With --world it plays a small town instead, until Ctrl-C: 30 shops with places and offers, and 200 customers who \
            walk, pay and use coupons, so that maps, plots and lists show something. A set on this machine only: everybody can \
            log in as anybody of the town, with the password '\(TownPlayer.password)' and the PIN \(TownPlayer.pin). \
            docs/world.md has the accounts, and what the town costs.

            Without it, the accounts demo, coffee, burgers and paulsens with the same password stay behind. Two demos at once on \
            one set spoil each other's balances.

            \(ExitStatus.help(
                "every step and every balance was right", no: "a step was refused, or a balance is wrong",
                unreachable: "no gateway answers"))
            """)

    @Flag(help: "Plays a small town until Ctrl-C.")
    var world = false

    @Option(help: "With --world: what the town follows from.")
    var seed: UInt64 = 1

    @Option(help: "With --world: how many customers live there, 1 to \(Town.peopleMax).")
    var people = 200

    @OptionGroup var gateway: GatewayOptions
    @OptionGroup var connection: BusOptions

    func validate() throws {
        guard (1...Town.peopleMax).contains(people) else {
            throw ValidationError("--people can be 1 to \(Town.peopleMax)")
        }
    }

    func run() async throws {
        let address = try gateway.address(of: connection.address())
        if world {
            return try await DemoTown(address: address, connection: connection).play(seed: seed, people: people)
        }
        let scenario = try Scenario(http: address, connection: connection)
        do { try await scenario.play() } catch {
            throw CommandFailure(
                status: ExitStatus(of: error),
                description: "the demo stopped at this step: \(ExitStatus.words(of: error))")
        }
    }
}

/// What is printed and checked, step by step.
private struct Scenario {
    struct Wrong: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    private static let password = "demo-password"
    private static let pin = "1234"
    private static let number = "4000123412341234"
    private static let code = "12345678"
    /// The amount of one touch of the app.
    private static let touch = Money(150)
    private static let charge = Money(425)
    private static let reload = Money(1000)

    private let client: HTTPClient
    /// Different in every run: each run pays anew, and a repeat within a run does not.
    private let run = "\(getpid())-\(monotonicNanoseconds())"

    /// Where the operator approves the merchant.
    private let connection: BusOptions

    init(http: String, connection: BusOptions) throws {
        client = try HTTPClient(http)
        self.connection = connection
    }

    func play() async throws {
        let (customer, _, customerName) = try party("customers", "demo", "Demo Customer", "customer with a PIN")
        let (merchant, shop, _) = try party("merchants", "coffee", "Coffee House", "merchant")
        try await approve(shop, merchant)

        say("set the PIN")
        try expect(
            client.request(
                "PUT", "/v1/pin", token: customer, body: ["password": .string(Self.password), "pin": .string(Self.pin)]),
            204)
        try addCardOnce(customer)

        say("Pay on the Go")
        say("1. the app asks for the PIN; a wrong one is refused, the right one opens the wallet")
        try expect(client.request("POST", "/v1/pin/verifications", token: customer, body: ["pin": "0000"]), 401)
        try expect(
            client.request("POST", "/v1/pin/verifications", token: customer, body: ["pin": .string(Self.pin)]), 200)

        var balance = try self.balance(customer)
        if balance.amount < Self.touch.amount + Self.charge.amount {
            say("not enough on the card (\(balance.display)): reload \(Self.reload.display)")
            try expect(reloadCard(customer, key: "\(run)-reload"), 201)
            balance = try expectBalance(customer, Money(balance.amount + Self.reload.amount))
        }
        say("2. the card last used has \(balance.display)")

        say("3. the customer chooses to pay; the app shows a pay code")
        let code = try expect(client.request("POST", "/v1/pay-codes", token: customer, body: [:]), 201).json
        guard case .string(let payCode)? = code["code"] else { throw Wrong("there is no pay code") }
        print("     \(payCode.prefix(24))…")

        say("4. the merchant scans it and charges \(Self.touch.display)")
        let scan: JSONValue = ["code": .string(payCode), "amount": json(Self.touch), "memo": "Drip coffee"]
        let receipt = try expect(
            client.request("POST", "/v1/code-payments", token: merchant, key: "\(run)-scan", body: scan), 201)
        printReceipt(receipt.json)

        say("5. the customer checks the remaining balance")
        balance = try expectBalance(customer, Money(balance.amount - Self.touch.amount))

        say("the same scan sent again pays nothing more")
        let again = try expect(
            client.request("POST", "/v1/code-payments", token: merchant, key: "\(run)-scan", body: scan), 201)
        guard again.body == receipt.body else { throw Wrong("the repeated answer differs") }
        balance = try expectBalance(customer, balance)

        say("the merchant asks for \(Self.charge.display); the customer approves")
        let merchantBefore = try merchantBalance(merchant)
        let asked = try expect(askForMoney(merchant, from: customerName, customer), 201).json
        guard case .string(let chargeID)? = asked["charge"] else { throw Wrong("there is no charge") }
        let pending = try expect(client.request("GET", "/v1/charges?state=requested", token: customer), 200).json
        guard case .array(let list)? = pending["charges"], list.contains(where: { $0["charge"] == .string(chargeID) })
        else { throw Wrong("the customer does not see the charge") }
        let approved = try expect(
            client.request(
                "POST", "/v1/charges/\(chargeID)/approval", token: customer, body: ["amount": json(Self.charge)]),
            200)
        printReceipt(approved.json)
        balance = try expectBalance(customer, Money(balance.amount - Self.charge.amount))

        let merchantAfter = try merchantBalance(merchant)
        guard merchantAfter.amount == merchantBefore.amount + Self.charge.amount else {
            throw Wrong("the merchant has \(merchantAfter.display)")
        }
        let stored = try expect(client.request("GET", "/v1/receipts/\(chargeID)", token: customer), 200)
        guard stored.json["entry"] == approved.json["entry"] else { throw Wrong("the stored receipt differs") }
        balance = try await orderAhead(customer, balance)
        try await openPharmacy()
        say("balances: customer \(balance.display), merchant \(merchantAfter.display); every step was right")
    }

    /// Requests the charge. A set that wants to know where the customer is learns it first.
    private func askForMoney(
        _ merchant: String, from name: String, _ customer: String
    ) throws -> HTTPClient.Response {
        var body: JSONValue = [
            "customer": .string(name), "amount": json(Self.charge), "memo": "Two croissants"
        ]
        let key = "\(run)-charge"
        let asked = try client.request("POST", "/v1/charges", token: merchant, key: key, body: body)
        guard asked.json["code"] == "payments.presence_required" else { return asked }
        say("this set asks for the customer's place: the customer shares it, at the shop")
        let places = try expect(client.request("GET", "/v1/places", token: merchant), 200).json
        guard case .array(let list)? = places["places"], let place = list.first else {
            throw Wrong("the shop has no place")
        }
        try expect(
            client.request("PUT", "/v1/settings/location", token: customer, body: ["sharing": true]), 200)
        try expect(
            client.request(
                "PUT", "/v1/location", token: customer,
                body: ["latitude": place["latitude"] ?? .null, "longitude": place["longitude"] ?? .null]), 200)
        body = [
            "customer": .string(name), "amount": json(Self.charge), "memo": "Two croissants",
            "place": place["place"] ?? .null
        ]
        return try client.request("POST", "/v1/charges", token: merchant, key: "\(key)-here", body: body)
    }

    // MARK: Order ahead

    /// The burger of document 002: beef and pickles in the USA.
    private func orderAhead(_ customer: String, _ before: Money) async throws -> Money {
        let (burgers, shop, _) = try party("merchants", "burgers", "Burger Shop", "burger shop")
        try await approve(shop, burgers)
        try expect(client.request("PUT", "/v1/menu", token: burgers, body: BurgerShop.menu), 200)
        var balance = before
        if balance.amount < BurgerShop.price.amount {
            try expect(reloadCard(customer, key: "\(run)-reload-order"), 201)
            balance = try expectBalance(customer, Money(balance.amount + Self.reload.amount))
        }
        say("the customer orders a burger ahead")
        let begun = try client.request(
            "POST", "/v1/menus/\(shop)/orders", token: customer, key: "\(run)-order", body: ["country": "us"])
        // A run that was stopped, or a person, may have left one.
        let order =
            if begun.json["code"] == "ordering.order_open" {
                try beginAnew(customer, at: shop)
            } else {
                try text("order", of: try expect(begun, 201).json)
            }
        let added = try expect(
            client.request(
                "POST", "/v1/orders/\(order)/items", token: customer, key: "\(run)-item",
                body: ["base": "beef", "extras": ["pickles"]]), 201
        ).json
        guard try money(added["total"]) == BurgerShop.price else { throw Wrong("the burger has another price") }
        let paid = try expect(
            client.request(
                "POST", "/v1/orders/\(order)/payment", token: customer, key: "\(run)-pay-order",
                body: ["total": json(BurgerShop.price)]), 201
        ).json
        guard case .integer(let number)? = paid["number"] else { throw Wrong("the order has no number") }
        balance = try expectBalance(customer, Money(balance.amount - BurgerShop.price.amount))
        say("order \(number) came to the burger shop, which says that it is ready")
        try expect(client.request("POST", "/v1/orders/\(order)/ready", token: burgers), 200)
        return balance
    }

    /// Discards what is in the cart, and begins another order.
    private func beginAnew(_ customer: String, at shop: String) throws -> String {
        let cart = try expect(client.request("GET", "/v1/menus/\(shop)/cart", token: customer), 200).json
        let left = try text("order", of: cart["order"] ?? .null)
        say("an order of before is in the cart: discard it")
        try expect(client.request("DELETE", "/v1/orders/\(left)", token: customer), 200)
        let begun = try client.request(
            "POST", "/v1/menus/\(shop)/orders", token: customer, key: "\(run)-order-anew", body: ["country": "us"])
        return try text("order", of: try expect(begun, 201).json)
    }

    private func text(_ key: String, of value: JSONValue) throws -> String {
        guard case .string(let text)? = value[key] else { throw Wrong("there is no \(key)") }
        return text
    }

    // MARK: A merchant's pages

    /// The pharmacy of document 003 writes its pages, which customers read.
    private func openPharmacy() async throws {
        let (pharmacy, shop, _) = try party("merchants", "paulsens", "Paulsen's Pharmacy", "pharmacy")
        try await approve(shop, pharmacy)
        try expect(client.request("PUT", "/v1/shop", token: pharmacy, body: Pharmacy.page), 200)
        let read = try expect(client.request("GET", "/v1/shops/\(shop)"), 200).json
        guard read["page"]?["name"] == Pharmacy.page["name"] else { throw Wrong("the pharmacy has another page") }
        say("its pages are at /shops/\(shop)")
    }

    // MARK: Steps

    /// Registers once and logs in; a second run finds the account of the first. Where somebody else has the username,
    /// takes one that is this run's own.
    private func party(
        _ route: String, _ username: String, _ name: String, _ what: String
    ) throws -> (token: String, id: String, username: String) {
        say("\(what): \(username)")
        let made = try client.request("POST", "/v1/\(route)", body: Self.form(route, username, name))
        guard made.status == 201 || made.json["code"] == "auth.username_taken" else { throw unexpected(made, 201) }
        let answer = try client.request(
            "POST", "/v1/sessions", body: ["username": .string(username), "password": .string(Self.password)])
        if made.status != 201, answer.status == 401, !username.hasSuffix(run) {
            return try party(route, "\(username)-\(run)", name, what)
        }
        let login = try expect(answer, 201).json
        guard case .string(let token)? = login["token"], case .string(let id)? = login["session"]?["account"] else {
            throw Wrong("the log-in gave no token")
        }
        return (token, id, username)
    }

    private static func form(_ route: String, _ username: String, _ name: String) -> JSONValue {
        let password: JSONValue = .string(password)
        let email: JSONValue = .string("\(username)@example.com")
        if route == "customers" {
            return [
                "username": .string(username), "password": password, "confirmPassword": password,
                "name": .string(name), "email": email, "birthdate": "1990-05-17", "student": false
            ]
        }
        return [
            "username": .string(username), "password": password, "confirmPassword": password, "name": .string(name),
            "email": email, "address": "1 Aspen Avenue, Flagstaff", "productTypes": ["coffee", "food"],
            "latitude": 35_198_284, "longitude": -111_651_302
        ]
    }

    /// A new merchant may not charge, and is shown to nobody, before the operator has said so.
    private func approve(_ shop: String, _ merchant: String) async throws {
        let settings = try expect(client.request("GET", "/v1/settings/account", token: merchant), 200).json
        let account: JSONValue = ["account": .string(shop), "status": settings["status"] ?? .null]
        if try await OperatorsApproval.give(toPending: account, over: connection) {
            say("the operator approves the merchant")
        }
    }

    private func addCardOnce(_ customer: String) throws {
        let cards = try expect(client.request("GET", "/v1/cards", token: customer), 200).json
        if case .array(let list)? = cards["cards"], !list.isEmpty { return say("the card of the last run is there") }
        try expect(
            client.request(
                "POST", "/v1/cards", token: customer, key: "demo-card",
                body: ["number": .string(Self.number), "code": .string(Self.code)]), 201)
        say("add a card; it opens with \(try balance(customer).display)")
    }

    private func reloadCard(_ customer: String, key: String) throws -> HTTPClient.Response {
        let cards = try client.request("GET", "/v1/cards", token: customer).json
        guard case .array(let list)? = cards["cards"], let card = list.first(where: { $0["isDefault"] == true }),
            case .string(let id)? = card["card"]
        else { throw Wrong("there is no default card") }
        return try client.request(
            "POST", "/v1/cards/\(id)/reloads", token: customer, key: key,
            body: ["amount": json(Self.reload)])
    }

    private func balance(_ customer: String) throws -> Money {
        let cards = try expect(client.request("GET", "/v1/cards", token: customer), 200).json
        guard case .array(let list)? = cards["cards"], let card = list.first(where: { $0["isDefault"] == true }) else {
            throw Wrong("there is no default card")
        }
        return try money(card["balance"])
    }

    private func expectBalance(_ customer: String, _ expected: Money) throws -> Money {
        let found = try balance(customer)
        print("     balance \(found.display)")
        guard found == expected else {
            throw Wrong("the balance is \(found.display) and should be \(expected.display)")
        }
        return found
    }

    private func merchantBalance(_ merchant: String) throws -> Money {
        try money(expect(client.request("GET", "/v1/account", token: merchant), 200).json["balance"])
    }

    // MARK: Words

    private func say(_ text: String) {
        print(text.first?.isNumber == true ? "  \(text)" : "• \(text)")
    }

    private func printReceipt(_ receipt: JSONValue) {
        func text(_ key: String) -> String {
            switch receipt[key] {
            case .string(let text)?: text
            case .integer(let number)?: "\(number)"
            case .some(let value): (try? money(value))?.display ?? ""  // not money: nothing to print
            case nil: ""
            }
        }
        print("     ┌ receipt \(text("charge"))")
        print("     │ \(text("merchantName")): \(text("memo"))")
        print("     │ \(text("amount")) paid at \(text("time")), ledger entry \(text("entry"))")
        // A merchant's receipt does not tell what the customer has left.
        let left = text("cardBalance")
        print(left.isEmpty ? "     └" : "     └ left on the card: \(left)")
    }

    private func json(_ money: Money) -> JSONValue {
        ["amount": .integer(money.amount), "currency": .string(money.currency.code)]
    }

    private func money(_ value: JSONValue?) throws -> Money {
        guard case .integer(let amount)? = value?["amount"] else { throw Wrong("there is no amount") }
        return Money(amount)
    }

    @discardableResult
    private func expect(_ response: HTTPClient.Response, _ status: Int) throws -> HTTPClient.Response {
        guard response.status == status else { throw unexpected(response, status) }
        return response
    }

    private func unexpected(_ response: HTTPClient.Response, _ status: Int) -> Wrong {
        Wrong("expected \(status), got \(response.status): \(String(decoding: response.body, as: UTF8.self))")
    }
}
