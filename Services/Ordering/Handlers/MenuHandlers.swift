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
        guard let written = try await service.store.menu(of: ask.merchant) else { throw Fault(.menuNotFound) }
        let isHidden = try await service.accounts.isHidden(ask.merchant, in: context, or: .menuNotFound)
        let menu = written.named(try await service.name(of: ask.merchant, written: written.merchantName))
        return isHidden ? menu.hidden : menu
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
        var menus: [Ordering.MenuTitle] = []
        for written in page.items {
            let name = try await service.name(of: written.merchant, written: written.merchantName)
            menus.append(Ordering.MenuTitle(merchant: written.merchant, merchantName: name, title: written.title))
        }
        return .init(menus: menus, next: page.next)
    }
}

extension OrderService {
    /// A merchant's name as auth had it last: it may have changed since the menu was written.
    fileprivate func name(of merchant: PartyID, written: String) async throws(Fault) -> String {
        guard let name = accounts.known(merchant)?.name, name != written else { return written }
        try await store.rename(merchant, to: name)
        return name
    }
}

extension Ordering.MenuView {
    fileprivate var hidden: Self {
        Self(
            merchant: merchant, merchantName: merchantName, menu: menu, revision: revision, changed: changed,
            isHidden: true)
    }

    fileprivate func named(_ name: String) -> Self {
        Self(
            merchant: merchant, merchantName: name, menu: menu, revision: revision, changed: changed,
            isHidden: isHidden)
    }
}
