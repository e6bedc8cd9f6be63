import Contracts
import Primitives
import Schemas
import Wire

package struct NewCard: RequestBody, Equatable {
    package let number: String
    package let code: String

    static let notes: [String: SchemaNote] = [
        "number": SchemaNote("The card's number.", pattern: "^[0-9]{16}$", example: "4000123412341234"),
        "code": SchemaNote("The card's code. Checked and not kept.", pattern: "^[0-9]{8}$", example: "12345678")
    ]
}

package struct ChosenCard: RequestBody, Equatable {
    package let card: CardID

    static let notes: [String: SchemaNote] = [:]
}

package struct Reload: RequestBody, FastCoded, Equatable {
    package let amount: TypedAmount

    static let notes: [String: SchemaNote] = ["amount": .typedAmount]
}

extension RouteTable {
    static let cards = [
        Route(
            .get, "/v1/cards", "readCards", "All cards, in the order in which they were added", for: .customer,
            asks: [Wallet.ReadCards.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Wallet.ReadCards.Reply> in
            Given(try await call.ask(Wallet.ReadCards(customer: call.account)))
        },
        Route(
            .post, "/v1/cards", "addCard", "Adds a card and makes it the one that pays", for: .customer,
            key: .required, status: 201, asks: [Wallet.AddCard.self]
        ) { (call: Call, body: NewCard) async throws(Fault) -> Given<Wallet.CardAdded> in
            Given(
                try await call.ask(
                    Wallet.AddCard(
                        card: call.operation(), customer: call.account, number: body.number, code: body.code)))
        },
        Route(
            .get, "/v1/cards/default", "readDefaultCard", "The card that pays where none is named", for: .customer,
            asks: [Wallet.ReadCard.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Wallet.CardView> in
            Given(try await call.ask(Wallet.ReadCard(customer: call.account)))
        },
        Route(
            .put, "/v1/cards/default", "chooseCard", "Chooses the card that pays where none is named",
            for: .customer, asks: [Wallet.ChooseCard.self]
        ) { (call: Call, body: ChosenCard) async throws(Fault) -> Given<Wallet.CardView> in
            Given(try await call.ask(Wallet.ChooseCard(customer: call.account, card: body.card)))
        },
        Route(
            .get, "/v1/cards/{card}", "readCard", "One card with its balance", for: .customer,
            asks: [Wallet.ReadCard.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Wallet.CardView> in
            Given(try await call.ask(Wallet.ReadCard(customer: call.account, card: call.id())))
        },
        Route(
            .post, "/v1/cards/{card}/reloads", "reloadCard", "Puts money on a card", for: .customer, key: .required,
            pin: true, status: 201, asks: [Wallet.ReloadCard.self]
        ) { (call: Call, body: Reload) async throws(Fault) -> Given<Wallet.CardReloaded> in
            Given(
                try await call.ask(
                    Wallet.ReloadCard(
                        operation: call.operation(), customer: call.account, card: call.id(), amount: body.amount.money)
                ))
        },
        Route(
            .get, "/v1/cards/{card}/entries", "readCardEntries", "What moved on a card, newest first",
            for: .customer, query: QueryParameter.page, asks: [Wallet.ReadEntries.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Wallet.ReadEntries.Reply> in
            let holder = Wallet.Holder(party: call.account, role: .customer, card: call.id())
            return Given(
                try await call.ask(
                    Wallet.ReadEntries(
                        holder: holder, before: try call.query.before(), limit: try call.query.limit())))
        }
    ]
}
