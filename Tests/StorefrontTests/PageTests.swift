import Bus
import Contracts
import Primitives
import StorefrontService
import Synchronization
import Testing

@Suite("A merchant's page")
struct PageTests {
    private let service: PageService
    private let auth = OnlyAuth()
    private let context = AskContext(deadline: Samples.time + .seconds(10))

    init() throws {
        service = PageService(store: try PageStore(), asking: auth, clock: WallClock { Samples.time })
    }

    private func page(
        theme: Storefront.Theme = Samples.page.theme, zone: String = "America/Los_Angeles",
        hours: [Storefront.Hours] = Samples.page.hours, events: [Storefront.Event] = []
    ) -> Storefront.Page {
        let sample = Samples.page
        return Storefront.Page(
            name: sample.name, logo: sample.logo, theme: theme, welcome: sample.welcome, about: sample.about,
            address: sample.address, phone: sample.phone, zone: zone, hours: hours, events: events)
    }

    private func set(_ page: Storefront.Page) async throws -> Storefront.PageView {
        try await SetPageHandler(service).answer(
            Storefront.SetPage(merchant: Samples.merchant, page: page), in: context)
    }

    @Test("has its events newest first (003-8)")
    func order() async throws {
        let events = [(1918, "Opened"), (2016, "The app"), (1975, "A new house")].map { year, name in
            Storefront.Event(date: CivilDate(year: year, month: 5, day: 1)!, name: name, text: "It happened.")
        }
        #expect(try await set(page(events: events)).page.events.map(\.name) == ["The app", "A new house", "Opened"])
    }

    @Test("whose colours are hard to read is refused, and says which (003-6)")
    func contrast() async throws {
        for (theme, name) in [
            (Storefront.Theme(paper: "#ffffff", ink: "#777777", accent: "#00558c"), "'ink'"),
            (.init(paper: "#ffffff", ink: "#000000", accent: "#ffff00"), "'accent'")
        ] {
            await #expect {
                try await set(page(theme: theme))
            } throws: {
                let fault = $0 as? Fault
                return fault?.code == .contrastTooLow && fault?.detail?.hasPrefix(name) == true
            }
        }
        await #expect {
            try await set(page(theme: .init(paper: "#ffffff", ink: "#00000g", accent: "#00558c")))
        } throws: { ($0 as? Fault)?.code == .pageInvalid }
    }

    @Test("contrast is as WCAG computes it", arguments: [("#000000", "#ffffff", 2100), ("#767676", "#ffffff", 454)])
    func figures(one: String, other: String, hundredths: Int) throws {
        let contrast = try #require(Colour(one)).contrast(with: try #require(Colour(other)))
        #expect(Int((contrast * 100).rounded()) == hundredths)
    }

    @Test(
        "one of white and black can be read on any accent", arguments: Array(stride(from: 0, to: 0x1000000, by: 65_521))
    )
    func onAccent(value: Int) throws {
        let digits = String(value, radix: 16)
        let accent = "#" + String(repeating: "0", count: 6 - digits.count) + digits
        let words = Storefront.Theme(paper: "#ffffff", ink: "#000000", accent: accent).onAccent
        #expect(try #require(Colour(words)).contrast(with: try #require(Colour(accent))) >= 4.5)
    }

    @Test("is open by the clock of its own zone, summer time included (003-16)")
    func open() throws {
        let hours = [Storefront.Hours(day: 1, opens: 540, closes: 1080)]
        func isOpen(_ time: String, _ zone: String = "America/Los_Angeles") throws -> Bool? {
            OpeningHours.isOpen(hours, in: zone, at: try #require(Timestamp(rfc3339: Array(time.utf8))))
        }
        // Mondays, nine o'clock in Portland: 17 h UTC in winter, 16 h in summer.
        #expect(try isOpen("2026-01-12T16:59:59Z") == false)
        #expect(try isOpen("2026-01-12T17:00:00Z") == true)
        #expect(try isOpen("2026-07-13T16:00:00Z") == true)
        #expect(try isOpen("2026-07-13T15:59:59Z") == false)
        #expect(try isOpen("2026-07-14T00:59:59Z") == true)
        #expect(try isOpen("2026-07-14T01:00:00Z") == false)
        #expect(try isOpen("2026-07-14T16:00:00Z") == false)
        #expect(try isOpen("2026-07-13T16:00:00Z", "Nowhere/Atall") == nil)
    }

    @Test("refuses zones and hours that there are not")
    func invalid() async throws {
        let monday = Storefront.Hours(day: 1, opens: 540, closes: 1080)
        for wrong in [
            page(zone: "Nowhere/Atall"), page(hours: [.init(day: 1, opens: 600, closes: 600)]),
            page(hours: [monday, .init(day: 1, opens: 1000, closes: 1100)])
        ] {
            await #expect { try await set(wrong) } throws: { ($0 as? Fault)?.code == .pageInvalid }
        }
        #expect(
            try await set(page(hours: [.init(day: 1, opens: 1080, closes: 1200), monday])).page.hours.first == monday)
    }

    @Test("can be looked at before it is kept, with the same refusals")
    func preview() async throws {
        let preview = ReadPreviewHandler(service)
        let shown = try await preview.answer(.init(merchant: Samples.merchant, page: page()), in: context)
        #expect(shown.revision == 0 && shown.page == page() && !shown.isDark)
        await #expect(throws: Fault.self) {
            try await preview.answer(.init(merchant: Samples.merchant, page: page(zone: "Nowhere/Atall")), in: context)
        }
        await #expect(throws: Fault(.pageNotFound)) {
            try await ReadPageHandler(service).answer(Storefront.ReadPage(merchant: Samples.merchant), in: context)
        }
    }

    @Test("is its merchant's own, with its logo, until the merchant is approved (A95)")
    func hidden() async throws {
        auth.decide(.pending)
        #expect(try await set(page()).isHidden == true)
        _ = try await SetLogoHandler(service).answer(
            .init(merchant: Samples.merchant, data: Samples.pixel), in: context)
        let (read, logo, list) = (ReadPageHandler(service), ReadLogoHandler(service), ReadPagesHandler(service))
        let ask = Storefront.ReadPage(merchant: Samples.merchant)
        let askForLogo = Storefront.ReadLogo(merchant: Samples.merchant)
        for actor in [nil, Actor(role: .customer, party: Samples.customer)] {
            let context = AskContext(deadline: context.deadline, actor: actor)
            await #expect(throws: Fault(.pageNotFound)) { try await read.answer(ask, in: context) }
            await #expect(throws: Fault(.logoNotFound)) { try await logo.answer(askForLogo, in: context) }
            #expect(try await list.answer(.init(skip: 0, limit: 1), in: context).pages == [])
        }
        for actor in [
            Actor(role: .merchant, party: Samples.merchant), Actor(role: .administrator, party: Samples.customer)
        ] {
            let context = AskContext(deadline: context.deadline, actor: actor)
            #expect(try await read.answer(ask, in: context).isHidden == true)
            #expect(try await logo.answer(askForLogo, in: context).data == Samples.pixel)
        }
        auth.decide(.approved)
        #expect(try await read.answer(ask, in: context).isHidden == nil)
        auth.decide(.rejected)
        service.decided(on: Samples.merchant)
        await #expect(throws: Fault(.pageNotFound)) { try await read.answer(ask, in: context) }
    }

    @Test("has an image as its logo until it is removed; another image has another id")
    func logo() async throws {
        _ = try await set(page())
        let read = ReadPageHandler(service)
        let ask = Storefront.ReadPage(merchant: Samples.merchant)
        #expect(try await read.answer(ask, in: context).logoImage == nil)
        let logo = SetLogoHandler(service)
        let made = try await logo.answer(.init(merchant: Samples.merchant, data: Samples.pixel), in: context).logo
        #expect(try await read.answer(ask, in: context).logoImage == made)
        let white =
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsTj2FAAAAABJRU5ErkJggg=="
        #expect(
            try await logo.answer(.init(merchant: Samples.merchant, data: white), in: context).logo?.image
                != made?.image)
        await #expect {
            try await logo.answer(.init(merchant: Samples.merchant, data: "no base64!"), in: context)
        } throws: { ($0 as? Fault)?.code == .logoInvalid }
        #expect(try await logo.answer(.init(merchant: Samples.merchant), in: context).logo == nil)
        #expect(try await read.answer(ask, in: context).logoImage == nil)
    }

    @Test("knows whether its paper is the darker colour")
    func dark() async throws {
        let theme = Storefront.Theme(paper: "#101820", ink: "#f4f4f4", accent: "#8fd3ff")
        let view = try await set(page(theme: theme))
        #expect(view.isDark && view.onAccent == "#000000")
    }

    @Test("that no reply could hold is refused")
    func tooLong() async throws {
        let text = String(repeating: "\"", count: 600)
        let events = (1...60).map {
            Storefront.Event(date: CivilDate(year: 1900 + $0, month: 1, day: 1)!, name: "It happened", text: text)
        }
        await #expect { try await set(page(events: events)) } throws: { ($0 as? Fault)?.code == .pageInvalid }
    }

    @Test("is in the list of pages by name, a part at a time")
    func list() async throws {
        _ = try await set(page())
        let list = ReadPagesHandler(service)
        let first = try await list.answer(.init(skip: 0, limit: 1), in: context)
        #expect(first == .init(pages: [.init(merchant: Samples.merchant, name: Samples.page.name)], next: nil))
        #expect(try await list.answer(.init(skip: 1, limit: 1), in: context).pages == [])
    }

    @Test("counts its changes, and publishes one fact for each")
    func revisions() async throws {
        #expect(try await set(page()).revision == 1)
        #expect(try await set(page()).revision == 1)
        #expect(try await set(page(hours: [])).revision == 2)
        #expect(try await service.store.store.read(after: 0, limit: 10).head == 2)
        await #expect(throws: Fault(.pageNotFound)) {
            try await ReadPageHandler(service).answer(Storefront.ReadPage(merchant: Samples.friend), in: context)
        }
    }
}

private final class OnlyAuth: Asking {
    private let status = Mutex(Auth.MerchantStatus.approved)

    func decide(_ status: Auth.MerchantStatus) { self.status.withLock { $0 = status } }

    func ask<A: Ask>(_ ask: A, in context: AskContext) async throws(Fault) -> A.Reply {
        let account = Auth.AccountView(
            account: Samples.merchant, role: .merchant, username: "paulsens", name: "Paulsen's Pharmacy",
            status: status.withLock { $0 })
        guard let reply = account as? A.Reply else { throw Fault(.unknownType) }
        return reply
    }
}
