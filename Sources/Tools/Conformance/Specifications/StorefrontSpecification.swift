import Bus
import Contracts
import Primitives

extension Storefront: Specified {
    package static let specification = Specification(
        service: service, needs: [Auth.service],
        examples: [
            set, preview, read, list, setLogo, readLogo, Example(facts: Storefront.self),
            Example(stats: Storefront.self),
            Example(spans: Storefront.self), Example(backup: Storefront.self), Example(follow: Storefront.self),
            Example(state: Storefront.self), Example(seal: Storefront.self)
        ],
        log: FactsSpecification(Storefront.self) { trial in _ = try await trial.asker.ask(try await page(trial.world))
        },
        load: set.load, others: [hidden])

    /// Always open, so that no moment decides an answer.
    private static let whole = page(hours: (1...7).map { Hours(day: $0, opens: 0, closes: 1440) })
    private static let neverOpen = page(hours: [])

    private static func page(hours: [Hours]) -> Page {
        Page(
            name: Samples.page.name, logo: Samples.page.logo, theme: Samples.page.theme,
            welcome: Samples.page.welcome, about: Samples.page.about, address: Samples.page.address,
            phone: Samples.page.phone, zone: Samples.page.zone, hours: hours, events: Samples.page.events)
    }

    /// The page of a merchant whose logo is an image.
    private static func page(_ world: World) async throws -> SetPage {
        let logo = try await logo(world)
        _ = try await world.ask(logo)
        return SetPage(merchant: logo.merchant, page: whole)
    }

    private static func expect(_ view: PageView, shows page: Page) throws(Wrong) {
        try require(view.page == page && view.isOpen == !page.hours.isEmpty, "the page is another one")
        try require(view.isHidden == nil, "the page of an approved merchant is hidden")
        try require(view.logoImage.map { [$0.width, $0.height] } == [1, 1], "the logo is another image")
    }

    private static let set = Example(
        nobody: SetPage(merchant: nobody(), page: whole), make: { world in try await page(world) },
        shows: { ask, world in [try await world.reading(ReadPage(merchant: ask.merchant))] },
        leadsTo: [PageChanged.type],
        expect: { ask, view, world in
            try expect(view, shows: whole)
            try require(
                try await world.ask(ReadPage(merchant: ask.merchant)) == view, "the page reads otherwise later")
        })

    private static let preview = Example(
        nobody: ReadPreview(merchant: nobody(), page: neverOpen), nobodyFinds: .replied,
        make: { world in ReadPreview(merchant: try await page(world).merchant, page: neverOpen) },
        expect: { ask, view, world in
            try expect(view, shows: neverOpen)
            try require(view.revision == 0, "the preview has revision \(view.revision)")
            let kept = try await world.ask(ReadPages(skip: 0, limit: 100)).pages
            try require(!kept.contains { $0.merchant == ask.merchant }, "the preview was kept")
        })

    private static let read = Example(
        nobody: ReadPage(merchant: nobody()), nobodyFinds: .refused(.pageNotFound),
        make: { world in
            let page = try await page(world)
            _ = try await world.ask(page)
            return ReadPage(merchant: page.merchant)
        },
        expect: { ask, view, world in
            try require(view.merchant == ask.merchant, "another merchant's page was read")
            try expect(view, shows: whole)
            // A reading may be wrong once in fifty.
            for _ in 0..<64 {
                try require(try await world.ask(ask) == view, "the page reads otherwise later")
            }
        })

    private static let list = Example(
        nobody: ReadPages(skip: 100_000, limit: 1), nobodyFinds: .replied,
        make: { world in
            _ = try await world.ask(try await page(world))
            return ReadPages(skip: 0, limit: 1)
        },
        expect: { _, reply, _ in try require(reply.pages.count == 1, "a page for 1 has \(reply.pages.count)") })

    private static func logo(_ world: World) async throws -> SetLogo {
        SetLogo(merchant: try await world.newAccount(.merchant), data: Samples.pixel)
    }

    private static let setLogo = Example(
        nobody: SetLogo(merchant: nobody()),
        make: { world in try await logo(world) },
        shows: { ask, world in [try await world.reading(ReadLogo(merchant: ask.merchant))] },
        expect: { ask, reply, world in
            let read = try await world.ask(ReadLogo(merchant: ask.merchant))
            try require(read.logo == reply.logo && read.data == ask.data, "the logo is another one")
        })

    private static let readLogo = Example(
        nobody: ReadLogo(merchant: nobody()), nobodyFinds: .refused(.logoNotFound),
        make: { world in
            let logo = try await logo(world)
            _ = try await world.ask(logo)
            return ReadLogo(merchant: logo.merchant)
        },
        expect: { _, reply, _ in
            try require(
                (reply.logo.kind, reply.logo.width, reply.logo.height) == (.png, 1, 1), "another image was read")
        })

    private static let hidden = Case(
        "storefront/hidden", "the page of a merchant whom nobody has approved is shown to nobody else, and says so",
        .changing, type: ReadPage.type
    ) { trial in
        let account = try await trial.world.ask(trial.world.registration(.merchant, isApproved: false)).account.account
        let (merchant, stranger) = (
            Actor(role: .merchant, party: account), Actor(role: .customer, party: trial.world.id())
        )
        let set = try await trial.asker.ask(SetPage(merchant: account, page: whole))
        try require(set.isHidden == true, "the page of a merchant whom nobody has approved is not hidden")
        // A reading may be wrong once in fifty.
        for _ in 0..<64 {
            let view = try await trial.asker.ask(ReadPage(merchant: account), .init(actor: merchant))
            try require(view == set, "the page reads otherwise later")
        }
        guard
            case .fault(let fault) = try await trial.asker.answer(
                ReadPage(merchant: account), .init(actor: stranger))
        else { throw Wrong("a stranger reads a hidden page") }
        try require(fault.code == .pageNotFound, "a stranger who asks for a hidden page is refused with \(fault.code)")
        let listed = try await trial.asker.ask(ReadPages(skip: 0, limit: 100)).pages
        try require(!listed.contains { $0.merchant == account }, "a hidden page is in the list")
    }
}
