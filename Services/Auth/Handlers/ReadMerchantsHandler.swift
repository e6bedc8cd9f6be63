import Bus
import Contracts
import Primitives

/// Lists merchants for administrators.
package struct ReadMerchantsHandler: Answering {
    private let service: AccountService

    package init(_ service: AccountService) { self.service = service }

    package func answer(
        _ ask: Auth.ReadMerchants, in context: AskContext
    ) async throws(Fault) -> Auth.ReadMerchants.Reply {
        // One more than asked for shows whether there is a next page.
        let found = try await service.store.merchants(ask.status, after: ask.after, limit: ask.limit + 1)
        var page: [Auth.MerchantView] = []
        var bytes = 0
        for merchant in found.prefix(ask.limit) {
            bytes += merchant.json.count + 1
            guard bytes <= FactsPage.bytesMax else { break }
            page.append(merchant)
        }
        return .init(merchants: page, next: page.count < found.count ? page.last?.merchant : nil)
    }
}
