import Bus
import Contracts
import Primitives

package struct SetLogoHandler: Answering {
    private let service: PageService

    package init(_ service: PageService) { self.service = service }

    package func answer(
        _ ask: Storefront.SetLogo, in context: AskContext
    ) async throws(Fault) -> Storefront.SetLogo.Reply {
        let logo = try ask.data.map { data throws(Fault) in try Logo(base64: data) }
        try await service.requireMerchant(ask.merchant, in: context)
        try await service.store.set(logo, of: ask.merchant)
        return .init(logo: logo?.view)
    }
}

package struct ReadLogoHandler: Answering {
    private let service: PageService

    package init(_ service: PageService) { self.service = service }

    package func answer(
        _ ask: Storefront.ReadLogo, in context: AskContext
    ) async throws(Fault) -> Storefront.ReadLogo.Reply {
        guard let logo = try await service.store.logo(of: ask.merchant) else { throw Fault(.logoNotFound) }
        _ = try await service.accounts.isHidden(ask.merchant, in: context, or: .logoNotFound)
        return .init(logo: logo.view, data: logo.base64)
    }
}
