import Contracts
import GatewayService
import Primitives
import Testing

/// The screens of document 002 as values.
@Suite("Ordering ahead")
struct OrderFlowTests {
    private func flow(
        lines: Int? = 0, _ state: Ordering.OrderState = .open, _ language: Language = .en,
        country: String = "us", currency: Currency = .usd
    ) -> OrderFlow {
        let sample = Samples.order(.open)
        let order = lines.map { count in
            Ordering.OrderView(
                order: sample.order, state: state, merchant: sample.merchant, merchantName: sample.merchantName,
                customer: sample.customer, country: country, countryName: sample.countryName,
                lines: Array(repeating: sample.lines[0], count: count), total: Money(Int64(count) * 920),
                begun: sample.begun)
        }
        return OrderFlow(shop: Samples.menuView, order: order, language: language, currency: currency)
    }

    @Test("says from the country on that a currency cannot be paid, and pays with no press (A63)")
    func currency() throws {
        let francs = try #require(Currency("CHF"))
        let words = "An order in USD cannot be paid: cards pay in CHF, and nothing is converted."
        for position in [OrderPosition(screen: .base), .init(screen: .extras, base: "beef"), .init(screen: .checkout)] {
            #expect(flow(lines: 1, currency: francs).screen(at: position).text.contains(words))
            #expect(flow(lines: 1).screen(at: position).note == nil)
        }
        let english = flow(lines: 1, currency: francs).screen(at: .init(screen: .checkout))
        #expect(try press("pay", english).disabled == "Cards pay in CHF")
        let checkout = flow(lines: 1, .open, .de, currency: francs).screen(at: .init(screen: .checkout))
        #expect(try press("pay", checkout).disabled == "Karten zahlen in CHF")
        #expect(checkout.note?.hasPrefix("Eine Bestellung in USD lässt sich nicht bezahlen") == true)
    }

    private func press(_ key: String, _ screen: OrderScreen) throws -> OrderScreen.Press {
        try #require(
            (screen.buttons + screen.choices.map(\.press) + [screen.back].compactMap(\.self)).first { $0.key == key })
    }

    @Test("begins with the country, which begins the order (002-2)")
    func start() throws {
        let screen = flow(lines: nil).screen(at: .init(screen: nil))
        #expect(screen.text == "Burger Shop\n\nChoose your country\n\n( ) USA\n")
        let usa = try press("us", screen)
        #expect(usa.act?.path.hasSuffix("/orders") == true && usa.act?.body?.country == "us")
        #expect(usa.to.hasSuffix("screen=base"))
    }

    @Test("asks for the base; Continue is grey until one is chosen, which stays chosen (002-3, 002-4, 002-25)")
    func base() throws {
        let none = flow().screen(at: .init(screen: .base))
        #expect(
            none.text
                == "Burger Shop\n\nSelect the Patty\n\n( ) Beef $8.50\n\n[Continue] (Choose one first)\n[Cart (0)]\n")
        let chosen = flow().screen(at: .init(screen: .base, base: "beef"))
        #expect(
            chosen.text == "Burger Shop\n\nSelect the Patty\n\n(x) Beef $8.50\n\n[Continue]\n[Cart (0)]\n")
        #expect(try press("continue", chosen).to.hasSuffix("screen=extras&base=beef"))
    }

    @Test("has no way back past the country, by no position (002-15)", arguments: [0, 1])
    func noWayBack(lines: Int) throws {
        for screen in [nil, OrderPosition.Screen.start, .base] {
            let shown = flow(lines: lines).screen(at: .init(screen: screen))
            #expect(shown.screen == .base && shown.back == nil)
        }
    }

    @Test("takes any extras, and Order is never grey (002-6, 002-7, A61)", arguments: [[], ["pickles"]])
    func extras(extras: [String]) throws {
        let screen = flow().screen(at: .init(screen: .extras, base: "beef", extras: extras))
        let mark = extras.isEmpty ? "[ ]" : "[x]"
        #expect(
            screen.text
                == "Burger Shop\n< Patty Selection\n\nIngredients\n\n\(mark) Pickles $0.70\n\n[Order]\n[Cart (0)]\n")
        let order = try press("order", screen)
        #expect(order.alias == "Continue" && order.disabled == nil)
        #expect(order.act?.body?.base == "beef" && order.act?.body?.extras == extras)
        // Checkout is shown after it, and stays (002-9).
        #expect(order.to.contains("screen=checkout"))
        // Pressing the extra again takes it away.
        #expect(try press("pickles", screen).to.contains("extras=") == extras.isEmpty)
    }

    @Test("orders only with Order: all other presses just lead to a screen (002-8, 002-16, 002-23)")
    func harmless() throws {
        let position = OrderPosition(screen: .extras, base: "beef", extras: ["pickles"])
        let screen = flow().screen(at: position)
        let back = try #require(screen.back)
        #expect(back.label == "Patty Selection" && back.act == nil)
        #expect(back.to.hasSuffix("screen=base&base=beef&extras=pickles"))
        #expect(try press("cart", screen).act == nil && (try press("pickles", screen)).act == nil)
    }

    @Test(
        "counts on the cart what is ordered, and lists it with its price and the total (002-5, 002-10, 002-11, 002-20)")
    func checkout() throws {
        #expect(try press("cart", flow(lines: 5).screen(at: .init(screen: .base))).label == "Cart (5)")
        let screen = flow(lines: 2).screen(at: .init(screen: .checkout, from: .base))
        #expect(
            screen.text == """
                Burger Shop
                < Patty Selection

                Checkout

                Burger $9.20
                  Beef, Pickles
                Burger $9.20
                  Beef, Pickles

                Total $18.40

                [Order More]
                [Pay]
                [Discard order]

                """)
        #expect(try press("order-more", screen).to.hasSuffix("screen=base"))  // 002-12
        let pay = try press("pay", screen)
        #expect(pay.act?.body?.total == Money(1840) && pay.to.hasSuffix("screen=start"))  // 002-13
    }

    @Test("opens an empty checkout, where Pay is grey (A64)", arguments: [nil, 0])
    func empty(lines: Int?) throws {
        let screen = flow(lines: lines).screen(at: .init(screen: .checkout, from: .base))
        #expect(try press("pay", screen).disabled == "There is nothing in the order")
    }

    @Test("leads back from checkout to the screen before it (A65)")
    func back() throws {
        let position = OrderPosition(screen: .checkout, base: "beef", extras: ["pickles"], from: .extras)
        let back = try #require(flow(lines: 1).screen(at: position).back)
        #expect(back.label == "Ingredients" && back.to.hasSuffix("screen=extras&base=beef&extras=pickles"))
        #expect(flow(lines: 1).screen(at: .init(screen: .checkout, from: .start)).back?.label == "Patty Selection")
    }

    @Test("says when a payment is being found out, and lets it be asked again")
    func paying() throws {
        let screen = flow(lines: 1, .paying).screen(at: .init(screen: .checkout))
        #expect(screen.note?.hasPrefix("The payment of this order") == true)
        #expect(try press("pay", screen).disabled == nil)
        #expect(try press("order-more", screen).disabled != nil)
        #expect(!screen.buttons.contains { $0.key == "discard" })
    }

    @Test("speaks German (A84)")
    func german() throws {
        let screen = flow(lines: 1, .open, .de).screen(at: .init(screen: .extras, base: "beef"))
        #expect(
            screen.text
                == "Burger Shop\n< Patty-Auswahl\n\nZutaten\n\n[ ] Essiggurken $0.70\n\n[Bestellen]\n[Warenkorb (1)]\n")
    }

    @Test("chooses nothing that the menu does not have any more, and sells nothing where the menu does not sell")
    func unknown() throws {
        let bases = flow().screen(at: .init(screen: .extras, base: "fish"))
        #expect(bases.screen == .base && bases.choices.allSatisfy { !$0.isChosen })
        #expect(bases.note?.contains("not on the menu any more") == true)
        let extras = flow().screen(at: .init(screen: .extras, base: "beef", extras: ["fish"]))
        #expect(extras.screen == .extras && extras.choices.allSatisfy { !$0.isChosen })
        #expect(extras.note?.contains("not on the menu any more") == true)

        let elsewhere = flow(lines: 1, country: "eu").screen(at: .init(screen: .base))
        #expect(elsewhere.note?.contains("does not sell in the country") == true)
        #expect(elsewhere.choices.allSatisfy { $0.price == nil })
    }

    @Test("is served as JSON and as text")
    func served() async throws {
        let harness = GatewayHarness()
        let path = "/v1/menus/\(Samples.merchant.hex)/screen?screen=base&base=beef"
        let text = try await harness.send("GET", path, as: "customer", headers: [.accept: "text/plain"])
        #expect(text.text.hasPrefix("Burger Shop\n\nSelect the Patty\n\n(x) Beef $8.50"))
        #expect(try await harness.send("GET", path, as: "customer").json["title"] == "Select the Patty")
        let receipt = try await harness.send(
            "GET", "/v1/orders/\(Samples.order.hex)?language=de", as: "merchant", headers: [.accept: "text/plain"])
        #expect(
            receipt.text.hasPrefix("Burger Shop\nBestellung 12 · bezahlt\n\nBurger $9.20\n  Rindfleisch, Essiggurken\n")
        )
    }
}
