import Foundation
import Glibc
import NotificationsService
import Primitives
import ServiceKit

/// What notifications is told by its environment.
struct NotificationsConfig {
    let host: HostConfig
    let rules: DeliveryRules
    /// Whether users' URLs may be http and lead to private addresses.
    let allowsPrivate: Bool
    /// Certificates that are trusted besides the system's.
    let certificates: String?
    let smtp: SMTPProvider.Server?
    let mailFrom: MailAddress
    let apns: APNsProvider.Account?
    let fcm: FCMProvider.Account?
    let fcmURL: String
    /// The file of the key for web pushes; beside the data where none is named.
    let pushKeyFile: String?
    let pushSubject: String

    static func fromEnvironment() throws -> NotificationsConfig {
        let host = try HostConfig.fromEnvironment()
        let reader = Reader(host: host)
        var rules = DeliveryRules()
        // BILLFOLD_PUSH_RETRY_MS: the longest pause before a delivery's second attempt; it doubles from there.
        rules.pauseFirst = .milliseconds(
            try host.integer("billfold.push.retry.ms", default: 5000, in: 1...3_600_000))
        // BILLFOLD_PUSH_ATTEMPTS: attempts before a delivery is a dead letter.
        rules.attemptsMax = Int64(try host.integer("billfold.push.attempts", default: 40, in: 1...100))
        let subject = reader.text("billfold.vapid.subject")
        if let subject, !subject.hasPrefix("mailto:"), !subject.hasPrefix("https:") {
            throw ConfigError("BILLFOLD_VAPID_SUBJECT is '\(subject)'; it has to begin with mailto: or https:")
        }
        let certificates = reader.text("billfold.push.ca.file")
        if let certificates, access(certificates, R_OK) != 0 {
            throw ConfigError("BILLFOLD_PUSH_CA_FILE: \(certificates) cannot be read")
        }
        let from = try reader.mailAddress("billfold.smtp.from") ?? MailAddress("billfold@localhost")
        guard let from else { throw ConfigError("BILLFOLD_SMTP_FROM is missing") }
        return NotificationsConfig(
            host: host, rules: rules,
            // BILLFOLD_PUSH_PRIVATE: 1 lets users' URLs lead inside. For tests.
            allowsPrivate: try host.integer("billfold.push.private", default: 0, in: 0...1) == 1,
            certificates: certificates, smtp: try smtp(reader, from: from), mailFrom: from,
            apns: try apns(reader), fcm: try fcm(reader),
            fcmURL: reader.text("billfold.fcm.url") ?? FCMProvider.url,
            pushKeyFile: reader.text("billfold.vapid.key.file"),
            pushSubject: subject ?? "mailto:\(from.text)")
    }

    /// BILLFOLD_SMTP: the mail server, host:port. BILLFOLD_SMTP_TLS: `offered`, `required` or `none`; required for
    /// another machine. BILLFOLD_SMTP_USER, BILLFOLD_SMTP_PASSWORD_FILE: its log-in.
    private static func smtp(_ reader: Reader, from: MailAddress) throws -> SMTPProvider.Server? {
        guard let text = reader.text("billfold.smtp") else {
            try reader.expectNone(
                ["billfold.smtp.tls", "billfold.smtp.user", "billfold.smtp.password.file"], without: "BILLFOLD_SMTP")
            return nil
        }
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
            (1...65_535).contains(port), colon > text.startIndex
        else { throw ConfigError("BILLFOLD_SMTP is '\(text)'; it has to be host:port, such as mail.example.com:587") }
        let name = text[..<colon].trimmingCharacters(in: ["[", "]"])
        let isHere = ["127.0.0.1", "::1", "localhost"].contains(name)
        let choice = reader.text("billfold.smtp.tls") ?? (isHere ? "offered" : "required")
        guard let tls = SMTPDialogue.TLS(rawValue: choice) else {
            throw ConfigError("BILLFOLD_SMTP_TLS is '\(choice)'; it can be offered, required or none")
        }
        var login: SMTPDialogue.Login?
        if let user = reader.text("billfold.smtp.user") {
            login = .init(
                user: user, password: try reader.needed("billfold.smtp.password.file", with: "BILLFOLD_SMTP_USER"))
        }
        return SMTPProvider.Server(host: name, port: port, from: from, tls: tls, login: login)
    }

    /// BILLFOLD_APNS_KEY_FILE: Apple's .p8 file, with _KEY_ID, _TEAM_ID and _TOPIC; _URL for another server.
    private static func apns(_ reader: Reader) throws -> APNsProvider.Account? {
        guard reader.text("billfold.apns.key.file") != nil else {
            try reader.expectNone(
                ["billfold.apns.key.id", "billfold.apns.team.id", "billfold.apns.topic", "billfold.apns.url"],
                without: "BILLFOLD_APNS_KEY_FILE")
            return nil
        }
        let key = try reader.needed("billfold.apns.key.file", with: "BILLFOLD_APNS_KEY_FILE")
        func text(_ name: String) throws -> String {
            guard let text = reader.text(name) else {
                throw ConfigError("\(Reader.variable(name)) is missing, which BILLFOLD_APNS_KEY_FILE needs")
            }
            return text
        }
        do {
            return try APNsProvider.Account(
                key: key, keyID: try text("billfold.apns.key.id"), teamID: try text("billfold.apns.team.id"),
                topic: try text("billfold.apns.topic"),
                url: reader.text("billfold.apns.url") ?? "https://api.push.apple.com")
        } catch let error as ConfigError {
            throw error
        } catch {
            throw ConfigError("BILLFOLD_APNS_KEY_FILE holds no P-256 key in PEM")
        }
    }

    /// BILLFOLD_FCM_ACCOUNT_FILE: a service account's JSON; BILLFOLD_FCM_URL for another server.
    private static func fcm(_ reader: Reader) throws -> FCMProvider.Account? {
        guard reader.text("billfold.fcm.account.file") != nil else {
            try reader.expectNone(["billfold.fcm.url"], without: "BILLFOLD_FCM_ACCOUNT_FILE")
            return nil
        }
        let json = try reader.needed("billfold.fcm.account.file", with: "BILLFOLD_FCM_ACCOUNT_FILE")
        do { return try FCMProvider.Account(json: Array(json.utf8)) } catch {
            throw ConfigError("BILLFOLD_FCM_ACCOUNT_FILE: \(FCMProvider.Account.Invalid())")
        }
    }

    private struct Reader {
        let host: HostConfig

        func text(_ key: String) -> String? {
            host.reader.string(forKey: .init(key)).flatMap { $0.isEmpty ? nil : $0 }
        }

        /// The text of a file that a variable names, without white space around it.
        func needed(_ key: String, with other: String) throws -> String {
            guard let path = text(key) else {
                throw ConfigError("\(Self.variable(key)) is missing, which \(other) needs")
            }
            // The operator needs the setting and the path, not Foundation's words.
            guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
                throw ConfigError("\(Self.variable(key)): \(path) cannot be read")
            }
            return text.trimmingCharacters(in: .whitespacesAndNewlines)
        }

        /// - Throws: for a setting that says nothing without another one, which was forgotten.
        func expectNone(_ keys: [String], without other: String) throws {
            for key in keys where text(key) != nil {
                throw ConfigError("\(Self.variable(key)) is set, and \(other) is not: nothing would be sent there")
            }
        }

        func mailAddress(_ key: String) throws -> MailAddress? {
            guard let text = text(key) else { return nil }
            guard let address = MailAddress(text) else {
                throw ConfigError("\(Self.variable(key)) is '\(text)'; it has to be a mail address")
            }
            return address
        }

        static func variable(_ key: String) -> String {
            key.uppercased().replacingOccurrences(of: ".", with: "_")
        }
    }
}
