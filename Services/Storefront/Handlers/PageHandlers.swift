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
        [
            SetPageHandler(self), ReadPreviewHandler(self), ReadPageHandler(self), ReadPagesHandler(self),
            SetLogoHandler(self), ReadLogoHandler(self)
        ]
    }

    /// To be called when an administrator has decided on a merchant.
    package func decided(on merchant: PartyID) { accounts.forget(merchant) }

    /// A page as it is now, for whoever may see it.
    func view(
        _ stored: PageStore.Stored, of merchant: PartyID, isHidden: Bool
    ) async throws(Fault) -> Storefront.PageView {
        let page = stored.page
        return Storefront.PageView(
            merchant: merchant, page: page, revision: stored.revision,
            isOpen: OpeningHours.isOpen(page.hours, in: page.zone, at: clock.now()) ?? false,
            onAccent: page.theme.onAccent, isDark: page.theme.isDark, isHidden: isHidden ? true : nil,
            logoImage: try await store.logo(of: merchant)?.view)
    }

    /// - Throws: `storefront.merchant_not_found` for an account that is no merchant.
    func requireMerchant(_ merchant: PartyID, in context: AskContext) async throws(Fault) {
        guard try await accounts.account(merchant, in: context)?.role == .merchant else {
            throw Fault(.pageMerchantNotFound)
        }
    }
}

package struct SetPageHandler: Answering {
    private let service: PageService

    package init(_ service: PageService) { self.service = service }

    package func answer(_ ask: Storefront.SetPage, in context: AskContext) async throws(Fault) -> Storefront.PageView {
        try ask.page.checkWhole()
        try await service.requireMerchant(ask.merchant, in: context)
        let stored = try await service.store.set(
            ask.page.sorted, of: ask.merchant, at: service.clock.now(), because: context)
        return try await service.view(
            stored, of: ask.merchant, isHidden: !(try await service.accounts.isShown(ask.merchant, in: context)))
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
        return try await service.view(
            unkept, of: ask.merchant, isHidden: !(try await service.accounts.isShown(ask.merchant, in: context)))
    }
}

package struct ReadPageHandler: Answering {
    private let service: PageService

    package init(_ service: PageService) { self.service = service }

    package func answer(_ ask: Storefront.ReadPage, in context: AskContext) async throws(Fault) -> Storefront.PageView {
        guard let stored = try await service.store.page(of: ask.merchant) else { throw Fault(.pageNotFound) }
        return try await service.view(
            stored, of: ask.merchant,
            isHidden: try await service.accounts.isHidden(ask.merchant, in: context, or: .pageNotFound))
    }
}

package struct ReadPagesHandler: Answering {
    private let service: PageService

    package init(_ service: PageService) { self.service = service }

    package func answer(
        _ ask: Storefront.ReadPages, in context: AskContext
    ) async throws(Fault) -> Storefront.ReadPages.Reply {
        let page = try await service.accounts.shown(
            skip: ask.skip, limit: ask.limit, in: context, of: \Storefront.PageTitle.merchant
        ) { skip, limit throws(Fault) in try await service.store.pages(skip: skip, limit: limit) }
        return .init(pages: page.items, next: page.next)
    }
}
