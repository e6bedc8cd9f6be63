import Bus
import Contracts
import Primitives
import Sodium

/// Registers where an account is told (001-77, A51).
package struct AddEndpointHandler: Answering {
    private let desk: NoticeDesk

    package init(_ desk: NoticeDesk) { self.desk = desk }

    package func answer(
        _ ask: Notifications.AddEndpoint, in context: AskContext
    ) async throws(Fault) -> Notifications.AddEndpoint.Reply {
        let channel = try desk.addresses.channel(ask.type)
        let endpoint = try desk.addresses.endpoint(
            ask, channel, secret: channel == .hook ? Randomness.shared.bytes(WebhookSignature.secretBytes) : nil,
            at: desk.clock.now())
        switch try await desk.store.add(endpoint) {
        case .added:
            if channel == .hook { desk.hooks.insert(ask.account) }
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
    private let desk: NoticeDesk

    package init(_ desk: NoticeDesk) { self.desk = desk }

    package func answer(
        _ ask: Notifications.ReadEndpoints, in context: AskContext
    ) async throws(Fault) -> Notifications.ReadEndpoints.Reply {
        return .init(endpoints: try await desk.store.endpoints(of: ask.account).map(\.view))
    }
}

package struct RemoveEndpointHandler: Answering {
    private let desk: NoticeDesk

    package init(_ desk: NoticeDesk) { self.desk = desk }

    package func answer(
        _ ask: Notifications.RemoveEndpoint, in context: AskContext
    ) async throws(Fault) -> Notifications.RemoveEndpoint.Reply {
        let removed = try await desk.store.remove(ask.endpoint, of: ask.account, at: desk.clock.now())
        if removed { desk.courier.forget(ask.endpoint) }
        return .init(removed: removed)
    }
}

package struct ReadPushKeyHandler: Answering {
    private let desk: NoticeDesk

    package init(_ desk: NoticeDesk) { self.desk = desk }

    package func answer(
        _ ask: Notifications.ReadPushKey, in context: AskContext
    ) async throws(Fault) -> Notifications.ReadPushKey.Reply {
        .init(publicKey: desk.pushKey)
    }
}
