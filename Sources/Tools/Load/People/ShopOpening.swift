import Audit
import Bus
import Contracts
import Primitives

/// Makes what ordering ahead and looking at shops need: a menu and a page of each merchant.
struct ShopOpening: Sendable {
    let bus: Bus
    let population: Population

    private static let width = 32

    func writeMenus(progress: (String, Int, Int) -> Void) async throws {
        try await greet(Ordering.self, "orders")
        let merchants = population.merchants
        _ = try await pipelined(Array(0..<merchants), width: Self.width, on: bus) { [self] number in
            try await bus.ask(
                Ordering.SetMenu(merchant: population.merchant(number), menu: LoadMenu.menu), in: bus.patient)
        } done: {
            progress("menus", $0, merchants)
        }
    }

    func writePages(progress: (String, Int, Int) -> Void) async throws {
        try await greet(Storefront.self, "shops")
        let merchants = population.merchants
        _ = try await pipelined(Array(0..<merchants), width: Self.width, on: bus) { [self] number in
            try await bus.ask(
                Storefront.SetPage(merchant: population.merchant(number), page: LoadShop.page(number)),
                in: bus.patient)
        } done: {
            progress("pages", $0, merchants)
        }
    }

    private func greet<Service: DataOwner>(_ service: Service.Type, _ what: String) async throws {
        do {
            _ = try await bus.ask(
                ReadFacts<Service>(after: .max - 1, limit: 1), in: AskContext(deadline: bus.clock.now() + .seconds(3)))
        } catch {
            throw LoadUnreachable("\(Service.service) does not answer, and \(what) need it: is it running?")
        }
    }
}
