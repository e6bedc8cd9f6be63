import NotificationsService

/// What carries messages to each medium: the real service where an account for it is configured, else one that stands
/// in here.
struct Providers {
    let byMedium: [Medium: any Provider]
    /// Where mail is kept while no mail server is configured.
    let outbox: OutboxProvider?
    private let sender: HTTPSender
    private let smtp: SMTPProvider?

    init(_ config: NotificationsConfig, data: String, key: PushKey) throws {
        sender = try HTTPSender(trusting: config.certificates, allowsPrivate: config.allowsPrivate)
        smtp = try config.smtp.map { try SMTPProvider($0, trusting: config.certificates) }
        outbox = smtp == nil ? try OutboxProvider(directory: "\(data)/outbox", from: config.mailFrom) : nil
        let android: any Provider =
            config.fcm.map { [sender] in FCMProvider(sender, account: $0, url: config.fcmURL) } ?? SimulatorProvider.fcm
        let ios: any Provider =
            config.apns.map { [sender] in APNsProvider(sender, account: $0) } ?? SimulatorProvider.apns
        var providers: [Medium: any Provider] = [
            .android: android, .ios: ios, .website: WebPushProvider(sender, key: key), .hook: WebhookProvider(sender)
        ]
        providers[.mail] = smtp ?? outbox
        byMedium = providers
    }

    func shutdown() async {
        await sender.shutdown()
        await smtp?.shutdown()
    }
}
