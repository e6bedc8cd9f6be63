import Bus
import Contracts
import Primitives

/// Shows what an account is pushed (A85).
package struct ReadSettingsHandler: Answering {
    private let service: NoticeService

    package init(_ service: NoticeService) { self.service = service }

    package func answer(
        _ ask: Notifications.ReadSettings, in context: AskContext
    ) async throws(Fault) -> Notifications.SettingsView {
        return try await service.store.settings(of: ask.account).view(of: ask.account)
    }
}

/// Turns pushes off and on (A69), and tells when there are to be none.
package struct SetSettingsHandler: Answering {
    private let service: NoticeService

    package init(_ service: NoticeService) { self.service = service }

    package func answer(
        _ ask: Notifications.SetSettings, in context: AskContext
    ) async throws(Fault) -> Notifications.SettingsView {
        var settings = Settings(enabled: ask.enabled, muted: Set(ask.muted))
        if let quiet = ask.quiet {
            guard let time = QuietTime(from: quiet.from, until: quiet.until, offset: quiet.offset) else {
                throw Fault(.quietHoursInvalid, "'from' and 'until' are two minutes of a day")
            }
            settings.quiet = time
        }
        try await service.store.set(settings, of: ask.account)
        return settings.view(of: ask.account)
    }
}

extension Settings {
    fileprivate func view(of account: PartyID) -> Notifications.SettingsView {
        Notifications.SettingsView(
            account: account, enabled: enabled, muted: Notifications.Kind.allCases.filter { muted.contains($0) },
            quiet: quiet.map { .init(from: $0.from, until: $0.until, offset: $0.offset) })
    }
}
