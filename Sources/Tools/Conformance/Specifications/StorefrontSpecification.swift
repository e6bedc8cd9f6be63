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
        load: set.load)

    /// Never open, so that no moment decides an answer.
    private static let whole = Page(
        name: Samples.page.name, logo: Samples.page.logo, theme: Samples.page.theme, welcome: Samples.page.welcome,
        about: Samples.page.about, address: Samples.page.address, phone: Samples.page.phone, zone: Samples.page.zone,
        hours: [], events: Samples.page.events)

    private static func page(_ world: World) async throws -> SetPage {
        SetPage(merchant: try await world.newAccount(.merchant), page: whole)
    }

    private static let set = Example(
        nobody: SetPage(merchant: nobody(), page: whole), make: { world in try await page(world) },
        shows: { ask, world in [try await world.reading(ReadPage(merchant: ask.merchant))] },
        leadsTo: [PageChanged.type],
        expect: { ask, view, world in
            try require(view.page == ask.page, "the page is another one")
            try require(
                try await world.ask(ReadPage(merchant: ask.merchant)) == view, "the page reads otherwise later")
        })

    private static let preview = Example(
        nobody: ReadPreview(merchant: nobody(), page: whole), nobodyFinds: .replied,
        make: { world in ReadPreview(merchant: try await world.newAccount(.merchant), page: whole) },
        expect: { ask, view, world in
            try require(view.page == ask.page && view.revision == 0, "the preview shows another page")
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
            try require(view.merchant == ask.merchant && view.page == whole, "another page was read")
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
}
