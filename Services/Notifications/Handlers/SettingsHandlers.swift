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
        return try await service.store.settings(of: ask.account).view(of: ask.account, at: service.clock.now())
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
            settings.quiet = QuietHours(from: Int(quiet.from), until: Int(quiet.until), by: try clock(quiet))
        }
        let now = service.clock.now()
        service.dispatcher.enqueue(try await service.store.set(settings, of: ask.account, at: now))
        return settings.view(of: ask.account, at: now)
    }

    private func clock(_ quiet: Notifications.QuietHours) throws(Fault) -> LocalClock {
        guard let zone = quiet.zone else { return .fixed(minutes: Int(quiet.offset)) }
        guard let name = ZoneName(zone) else {
            throw Fault(.quietHoursInvalid, "'zone' must be the IANA name of a time zone, such as America/Phoenix")
        }
        return .zone(name)
    }
}

extension Settings {
    fileprivate func view(of account: PartyID, at now: Timestamp) -> Notifications.SettingsView {
        Notifications.SettingsView(
            account: account, enabled: enabled, muted: Notifications.Kind.allCases.filter { muted.contains($0) },
            quiet: quiet.map { quiet in
                .init(
                    from: Int64(quiet.from), until: Int64(quiet.until), offset: Int64(quiet.offsetMinutes(at: now)),
                    zone: quiet.clock.zone?.text)
            })
    }
}
