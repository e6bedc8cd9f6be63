import Contracts
import Primitives

extension NotificationsRules {
    static let settings: Case = Case(
        "notifications/settings",
        "nothing is pushed in quiet hours, none of a muted kind and none to who has turned pushes off; inboxes have all",
        .changing, type: Notifications.SetSettings.type
    ) { trial in
        guard !trial.missing.contains(Notifications.SendNotification.type) else { return }
        let world = trial.world
        let minute = world.now.milliseconds / 60_000
        func quiet(from first: Int64, until last: Int64) -> Notifications.QuietHours {
            .init(from: (minute + first) % 1440, until: (minute + last) % 1440, offset: 0)
        }
        /// A message to an account with these settings, whose inbox has it.
        func pushed(
            enabled: Bool = true, muted: [Notifications.Kind] = [], _ quiet: Notifications.QuietHours? = nil
        ) async throws -> NoticeID {
            let account = try await world.newAccount(.customer)
            let address = "check-\(world.id() as EndpointID)"
            _ = try await trial.asker.ask(
                Notifications.AddEndpoint(endpoint: world.id(), account: account, type: 1, address: address))
            _ = try await trial.asker.ask(
                Notifications.SetSettings(account: account, enabled: enabled, muted: muted, quiet: quiet))
            let push = Notifications.SendNotification(
                notice: world.id(), type: 1, registrationId: address, message: "Conformance")
            _ = try await trial.asker.ask(push)
            _ = try await notices(of: account, 1, trial)
            return push.notice
        }
        let waiting = try await pushed(quiet(from: -5, until: 60))
        let never = [try await pushed(muted: [.message]), try await pushed(enabled: false)]
        let free = try await pushed(muted: [.offer], quiet(from: 60, until: 120))
        _ = try await ended(free, trial)
        for notice in never {
            try require(try await !ended(notice, trial).isDelivered, "what is muted or turned off is pushed")
        }
        try require(try await ends(of: waiting, trial).isEmpty, "a push is sent, or given up, in quiet hours")
    }
}
