import Bus
import Contracts
import Primitives

package struct SetMenuHandler: Answering {
    private let service: OrderService

    package init(_ service: OrderService) { self.service = service }

    package func answer(_ ask: Ordering.SetMenu, in context: AskContext) async throws(Fault) -> Ordering.MenuView {
        try ask.menu.checkWhole()
        guard let account = try await service.accounts.read(ask.merchant, in: context), account.role == .merchant
        else { throw Fault(.menuMerchantNotFound) }
        let menu = try await service.store.setMenu(
            ask, merchantName: account.name, at: service.clock.now(), because: context)
        return account.isApproved ? menu : menu.hidden
    }
}

package struct ReadMenuHandler: Answering {
    private let service: OrderService

    package init(_ service: OrderService) { self.service = service }

    package func answer(_ ask: Ordering.ReadMenu, in context: AskContext) async throws(Fault) -> Ordering.MenuView {
        guard let menu = try await service.store.menu(of: ask.merchant) else { throw Fault(.menuNotFound) }
        return try await service.accounts.isHidden(ask.merchant, in: context, or: .menuNotFound) ? menu.hidden : menu
    }
}

package struct ReadMenusHandler: Answering {
    private let service: OrderService

    package init(_ service: OrderService) { self.service = service }

    package func answer(
        _ ask: Ordering.ReadMenus, in context: AskContext
    ) async throws(Fault) -> Ordering.ReadMenus.Reply {
        let page = try await service.accounts.shown(
            skip: ask.skip, limit: ask.limit, in: context, of: \Ordering.MenuTitle.merchant
        ) { skip, limit throws(Fault) in try await service.store.menus(skip: skip, limit: limit) }
        return .init(menus: page.items, next: page.next)
    }
}

extension Ordering.MenuView {
    fileprivate var hidden: Self {
        Self(
            merchant: merchant, merchantName: merchantName, menu: menu, revision: revision, changed: changed,
            isHidden: true)
    }
}
