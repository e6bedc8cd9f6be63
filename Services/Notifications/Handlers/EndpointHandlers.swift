import Bus
import Contracts
import Primitives
import Sodium

/// Registers a phone, browser or web hook of an account.
package struct AddEndpointHandler: Answering {
    private let service: NoticeService

    package init(_ service: NoticeService) { self.service = service }

    package func answer(
        _ ask: Notifications.AddEndpoint, in context: AskContext
    ) async throws(Fault) -> Notifications.AddEndpoint.Reply {
        let channel = try service.addresses.channel(ask.type)
        let endpoint = try service.addresses.endpoint(
            ask, channel, secret: channel == .hook ? Randomness.shared.bytes(WebhookSignature.secretBytes) : nil,
            at: service.clock.now())
        switch try await service.store.add(endpoint) {
        case .added:
            if channel == .hook { service.hooks.insert(ask.account) }
            return reply(endpoint, replayed: false)
        case .existed(let known): return reply(known, replayed: true)
        case .reused: throw Fault(.noticeIDReused)
        case .tooMany: throw Fault(.tooManyEndpoints)
        }
    }

    private func reply(_ endpoint: Endpoint, replayed: Bool) -> Notifications.AddEndpoint.Reply {
        .init(
            endpoint: endpoint.view, secret: endpoint.secret.map { WebhookSignature(secret: $0).secretText },
            replayed: replayed)
    }
}

package struct ReadEndpointsHandler: Answering {
    private let service: NoticeService

    package init(_ service: NoticeService) { self.service = service }

    package func answer(
        _ ask: Notifications.ReadEndpoints, in context: AskContext
    ) async throws(Fault) -> Notifications.ReadEndpoints.Reply {
        return .init(endpoints: try await service.store.endpoints(of: ask.account).map(\.view))
    }
}

package struct RemoveEndpointHandler: Answering {
    private let service: NoticeService

    package init(_ service: NoticeService) { self.service = service }

    package func answer(
        _ ask: Notifications.RemoveEndpoint, in context: AskContext
    ) async throws(Fault) -> Notifications.RemoveEndpoint.Reply {
        let removed = try await service.store.remove(ask.endpoint, of: ask.account, at: service.clock.now())
        if removed { service.dispatcher.forget(ask.endpoint) }
        return .init(removed: removed)
    }
}

package struct ReadPushKeyHandler: Answering {
    private let service: NoticeService

    package init(_ service: NoticeService) { self.service = service }

    package func answer(
        _ ask: Notifications.ReadPushKey, in context: AskContext
    ) async throws(Fault) -> Notifications.ReadPushKey.Reply {
        .init(publicKey: service.pushKey)
    }
}
