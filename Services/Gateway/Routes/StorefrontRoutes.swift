import Contracts
import Hummingbird
import Primitives
import Schemas
import Wire

extension Storefront.Page: RequestBody {
    static var notes: [String: SchemaNote] {
        [
            "name": SchemaNote("The shop's name."),
            "logo": SchemaNote(
                "The logo in letters: shown where there is no image, read out where there is one."),
            "theme": SchemaNote("Three colours, `#rrggbb`: words in ink and in accent have to contrast with paper."),
            "welcome": SchemaNote("What Home says."), "about": SchemaNote("What About says."),
            "address": SchemaNote("1 to 200 bytes."), "phone": SchemaNote("1 to 40 bytes."),
            "zone": SchemaNote("The shop's zone, by its IANA name.", example: "America/Los_Angeles"),
            "hours": SchemaNote("Days from 1 (Monday) to 7, with minutes of the day."),
            "events": SchemaNote("Noteworthy days, in any order; at most 60.")
        ]
    }
}

extension QueryParameter {
    static let shopView = [
        QueryParameter(
            name: "view", summary: "Which view; Home where none is given.",
            schema: ["type": "string", "enum": .array(ShopScreen.View.allCases.map { .string($0.rawValue) })],
            example: "history"),
        QueryParameter(
            name: "open", summary: "Positions of the events that are open, from 0, with commas.",
            schema: ["type": "string"], example: "0,2"),
        QueryParameter(
            name: "columns", summary: "Of the text; 80 where none is given.",
            schema: ["type": "integer", "minimum": 20, "maximum": 200], example: 40), language
    ]
}

extension RouteTable {
    /// Merchants' own pages.
    static let storefront = [
        Route(
            .get, "/v1/shops", "readShops", "Merchants with pages, by name", for: .everyone, query: [.skip, .limit],
            asks: [Storefront.ReadPages.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Storefront.ReadPages.Reply> in
            Given(
                try await call.ask(
                    Storefront.ReadPages(skip: Int(try call.query.skip() ?? 0), limit: try call.query.limit())))
        },
        Route(
            .put, "/v1/shop", "changeShop", "Writes the merchant's whole page", for: .merchant,
            asks: [Storefront.SetPage.self]
        ) { (call: Call, page: Storefront.Page) async throws(Fault) -> Given<Storefront.PageView> in
            Given(try await call.ask(Storefront.SetPage(merchant: call.account, page: page)))
        },
        Route(
            .post, "/v1/shop/previews", "previewShop", "Shows what a page would be; nothing is kept", for: .merchant,
            asks: [Storefront.ReadPreview.self]
        ) { (call: Call, page: Storefront.Page) async throws(Fault) -> Given<Storefront.PageView> in
            Given(try await call.ask(Storefront.ReadPreview(merchant: call.account, page: page)))
        },
        Route(
            .get, "/v1/shops/{merchant}", "readShop",
            "A merchant's page; only the merchant's own while it is not approved", for: .anyone,
            asks: [Storefront.ReadPage.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Storefront.PageView> in
            Given(try await call.ask(Storefront.ReadPage(merchant: call.id())))
        },
        view,
        Route(
            .put, "/v1/shop/logo", "changeShopLogo",
            "Makes an image the merchant's logo: a PNG or a JPEG of at most 9,000 bytes and 256 by 256 pixels, kept without "
                + "what does not belong to the picture", for: .merchant, asks: [Storefront.SetLogo.self]
        ) { (call: Call, body: NewImage) async throws(Fault) -> Given<Storefront.SetLogo.Reply> in
            Given(try await call.ask(Storefront.SetLogo(merchant: call.account, data: body.data)))
        },
        Route(
            .delete, "/v1/shop/logo", "deleteShopLogo", "Removes that image: the logo is its letters again",
            for: .merchant, status: 204, asks: [Storefront.SetLogo.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Nothing> in
            _ = try await call.ask(Storefront.SetLogo(merchant: call.account))
            return Given(Nothing())
        },
        Route(
            .get, "/v1/shops/{merchant}/logo", "readShopLogo", "The image that is a merchant's logo, in base64",
            for: .anyone, asks: [Storefront.ReadLogo.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Storefront.ReadLogo.Reply> in
            Given(try await call.ask(Storefront.ReadLogo(merchant: call.id())))
        }
    ]

    /// A view, as JSON or as text. Settings are those of the customer who is logged in.
    private static let view = Route(
        .get, "/v1/shops/{merchant}/view", "readShopView", "One view of a merchant's pages, with what can be pressed",
        for: .open([.customer]), key: .none, pin: false, rate: nil, query: QueryParameter.shopView, body: .none,
        status: 200, reply: .jsonOrText(ShopScreen.self),
        asks: [Storefront.ReadPage.self, Notifications.ReadSettings.self]
    ) { (call: Call) async throws(Fault) -> Answer in
        let (view, columns) = (try call.query.view(), try call.query.columns())
        let language = try call.query.language()
        let page = try await call.ask(Storefront.ReadPage(merchant: call.id()))
        var notices: NoticeSettings?
        if view == .settings, let session = call.session {
            notices = NoticeSettings(
                try await call.ask(Notifications.ReadSettings(account: session.view.account)))
        }
        let screen = ShopFlow(page: page, notices: notices, language: language).screen(view, open: call.query.open())
        return call.answer(screen, text: screen.text(columns: columns))
    }
}

extension Query {
    fileprivate func view() throws(Fault) -> ShopScreen.View { try choice("view") ?? .home }

    fileprivate func open() -> Set<Int> { Set((text("open") ?? "").split(separator: ",").compactMap { Int($0) }) }

    fileprivate func columns() throws(Fault) -> Int {
        guard let text = text("columns") else { return 80 }
        guard let columns = Int(text), (20...200).contains(columns) else {
            throw Fault(WireError(.invalidValue(why: "must be a number from 20 to 200"), path: "columns"))
        }
        return columns
    }
}
