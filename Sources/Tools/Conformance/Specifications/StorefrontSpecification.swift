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
        load: set.load, others: [hidden, changes, images])

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
        let merchant = Actor(role: .merchant, party: account)
        let set = try await trial.asker.ask(SetPage(merchant: account, page: whole))
        try require(set.isHidden == true, "the page of a merchant whom nobody has approved is not hidden")
        // A reading may be wrong once in fifty.
        for _ in 0..<64 {
            let view = try await trial.asker.ask(ReadPage(merchant: account), .init(actor: merchant))
            try require(view == set, "the page reads otherwise later")
        }
        _ = try await trial.asker.ask(SetLogo(merchant: account, data: Samples.pixel))
        // Nobody at all, as the public is, a customer, and another merchant.
        let strangers: [Actor?] = [
            nil, Actor(role: .customer, party: trial.world.id()), Actor(role: .merchant, party: trial.world.id())
        ]
        for stranger in strangers {
            try await expect(.pageNotFound, of: ReadPage(merchant: account), by: stranger, trial)
            try await expect(.logoNotFound, of: ReadLogo(merchant: account), by: stranger, trial)
        }
        let listed = try await trial.asker.ask(ReadPages(skip: 0, limit: 100)).pages
        try require(!listed.contains { $0.merchant == account }, "a hidden page is in the list")
    }

    private static func expect<A: Ask>(
        _ code: FaultCode, of ask: A, by actor: Actor?, _ trial: Trial
    ) async throws {
        let who = actor.map { "another \($0.role.rawValue)" } ?? "nobody in particular"
        guard case .fault(let fault) = try await trial.asker.answer(ask, .init(actor: actor)) else {
            throw Wrong("\(who) gets an answer to \(A.type) of a merchant whom nobody has approved")
        }
        try require(fault.code == code, "\(who) is refused \(A.type) with \(fault.code), not \(code)")
    }

    private static let changes = Case(
        "storefront/changes", "a page that is changed reads as it was written last, and counts its changes",
        .changing, type: SetPage.type
    ) { trial in
        let account = try await trial.world.newAccount(.merchant)
        let other = page(hours: [Hours(day: 1, opens: 0, closes: 1440)])
        for (page, revision) in [(whole, 1), (other, 2), (other, 2), (whole, 3), (neverOpen, 4)] as [(Page, Int64)] {
            let set = try await trial.asker.ask(SetPage(merchant: account, page: page))
            try require(set.page == page, "a page that is set is answered with another one")
            try require(set.revision == revision, "the page has revision \(set.revision) instead of \(revision)")
            let read = try await trial.asker.ask(ReadPage(merchant: account))
            try require(
                read.page == page && read.revision == revision, "the page that was set last reads as another one")
        }
        _ = try await trial.asker.ask(SetPage(merchant: try await trial.world.newAccount(.merchant), page: whole))
        let first = try await trial.asker.ask(ReadPages(skip: 0, limit: 1))
        try require(first.next != nil, "a list of two pages ends after the first")
        let second = try await trial.asker.ask(ReadPages(skip: first.next ?? 1, limit: 1))
        try require(first.pages != second.pages, "'skip' passes over nothing")
    }

    /// `Samples.pixel` with a comment: a chunk `tEXt` behind the first one.
    private static let commented =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAADHRFWHRDb21tZW50AGhlcmU+BdJ9AAAACklEQVR4nGNoAAAAggCBd81ytgAA"
        + "AABJRU5ErkJggg=="

    private static let images = Case(
        "storefront/images", "an image is kept without its comments until another one or none takes its place",
        .changing, type: SetLogo.type
    ) { trial in
        let account = try await trial.world.newAccount(.merchant)
        let bare = try await trial.asker.ask(SetLogo(merchant: account, data: Samples.pixel)).logo
        let commented = try await trial.asker.ask(SetLogo(merchant: account, data: commented)).logo
        try require(commented == bare, "a picture with a comment is another one than without")
        let read = try await trial.asker.ask(ReadLogo(merchant: account))
        try require(read.data == Samples.pixel, "a picture keeps its comment")
        let none = try await trial.asker.ask(SetLogo(merchant: account)).logo
        try require(none == nil, "letters that take an image's place are answered with an image")
        try await expect(.logoNotFound, of: ReadLogo(merchant: account), by: nil, trial)
    }
}
