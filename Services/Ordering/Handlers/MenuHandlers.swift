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
        return try await service.store.setMenu(
            ask, merchantName: account.name, at: service.clock.now(), because: context)
    }
}

package struct ReadMenuHandler: Answering {
    private let service: OrderService

    package init(_ service: OrderService) { self.service = service }

    package func answer(_ ask: Ordering.ReadMenu, in context: AskContext) async throws(Fault) -> Ordering.MenuView {
        guard let menu = try await service.store.menu(of: ask.merchant) else { throw Fault(.menuNotFound) }
        return menu
    }
}

package struct ReadMenusHandler: Answering {
    private let service: OrderService

    package init(_ service: OrderService) { self.service = service }

    package func answer(
        _ ask: Ordering.ReadMenus, in context: AskContext
    ) async throws(Fault) -> Ordering.ReadMenus.Reply {
        let found = try await service.store.menus(skip: ask.skip, limit: ask.limit + 1)
        return .init(
            menus: Array(found.prefix(ask.limit)), next: found.count > ask.limit ? ask.skip + ask.limit : nil)
    }
}
