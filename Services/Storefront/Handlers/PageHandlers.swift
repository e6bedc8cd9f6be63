import Bus
import Contracts
import Primitives

/// What the handlers of storefront share.
package struct PageService: Sendable {
    package let store: PageStore
    let accounts: AccountDirectory
    let clock: WallClock

    package init(store: PageStore, asking bus: any Asking, clock: WallClock = .system) {
        self.store = store
        self.clock = clock
        accounts = AccountDirectory(asking: bus, clock: clock)
    }

    /// One handler for each type that the service answers.
    package var handlers: [any Answering] {
        [SetPageHandler(self), ReadPreviewHandler(self), ReadPageHandler(self), ReadPagesHandler(self)]
    }

    func view(_ stored: PageStore.Stored, of merchant: PartyID) -> Storefront.PageView {
        let page = stored.page
        return Storefront.PageView(
            merchant: merchant, page: page, revision: stored.revision,
            isOpen: OpeningHours.isOpen(page.hours, in: page.zone, at: clock.now()) ?? false,
            onAccent: page.theme.onAccent, isDark: page.theme.isDark)
    }
}

package struct SetPageHandler: Answering {
    private let service: PageService

    package init(_ service: PageService) { self.service = service }

    package func answer(_ ask: Storefront.SetPage, in context: AskContext) async throws(Fault) -> Storefront.PageView {
        try ask.page.checkWhole()
        guard try await service.accounts.account(ask.merchant, in: context)?.role == .merchant else {
            throw Fault(.pageMerchantNotFound)
        }
        let stored = try await service.store.set(
            ask.page.sorted, of: ask.merchant, at: service.clock.now(), because: context)
        return service.view(stored, of: ask.merchant)
    }
}

package struct ReadPreviewHandler: Answering {
    private let service: PageService

    package init(_ service: PageService) { self.service = service }

    package func answer(
        _ ask: Storefront.ReadPreview, in context: AskContext
    ) async throws(Fault) -> Storefront.PageView {
        try ask.page.checkWhole()
        let unkept = PageStore.Stored(page: ask.page.sorted, revision: 0)
        return service.view(unkept, of: ask.merchant)
    }
}

package struct ReadPageHandler: Answering {
    private let service: PageService

    package init(_ service: PageService) { self.service = service }

    package func answer(_ ask: Storefront.ReadPage, in context: AskContext) async throws(Fault) -> Storefront.PageView {
        guard let stored = try await service.store.page(of: ask.merchant) else { throw Fault(.pageNotFound) }
        return service.view(stored, of: ask.merchant)
    }
}

package struct ReadPagesHandler: Answering {
    private let service: PageService

    package init(_ service: PageService) { self.service = service }

    package func answer(
        _ ask: Storefront.ReadPages, in context: AskContext
    ) async throws(Fault) -> Storefront.ReadPages.Reply {
        let found = try await service.store.pages(skip: ask.skip, limit: ask.limit + 1)
        return .init(
            pages: Array(found.prefix(ask.limit)), next: found.count > ask.limit ? ask.skip + ask.limit : nil)
    }
}
