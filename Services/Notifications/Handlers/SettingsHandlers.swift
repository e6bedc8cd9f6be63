import Bus
import Contracts
import Primitives

/// Shows what an account is pushed.
package struct ReadSettingsHandler: Answering {
    private let service: NoticeService

    package init(_ service: NoticeService) { self.service = service }

    package func answer(
        _ ask: Notifications.ReadSettings, in context: AskContext
    ) async throws(Fault) -> Notifications.SettingsView {
        return try await service.store.settings(of: ask.account).view(of: ask.account)
    }
}

/// Turns pushes off and on, and sets muted kinds and quiet hours.
package struct SetSettingsHandler: Answering {
    private let service: NoticeService

    package init(_ service: NoticeService) { self.service = service }

    package func answer(
        _ ask: Notifications.SetSettings, in context: AskContext
    ) async throws(Fault) -> Notifications.SettingsView {
        var settings = Settings(enabled: ask.enabled, muted: Set(ask.muted))
        if let quiet = ask.quiet {
            guard quiet.from != quiet.until else {
                throw Fault(.quietHoursInvalid, "'until' must be another minute than 'from'")
            }
            settings.quiet = QuietHours(
                from: Int(quiet.from), until: Int(quiet.until), utcOffsetMinutes: Int(quiet.offset))
        }
        try await service.store.set(settings, of: ask.account)
        return settings.view(of: ask.account)
    }
}

extension Settings {
    fileprivate func view(of account: PartyID) -> Notifications.SettingsView {
        Notifications.SettingsView(
            account: account, enabled: enabled, muted: Notifications.Kind.allCases.filter { muted.contains($0) },
            quiet: quiet.map { .init(from: Int64($0.from), until: Int64($0.until), offset: Int64($0.utcOffsetMinutes)) }
        )
    }
}
