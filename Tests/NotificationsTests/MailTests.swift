import Foundation
import NotificationsService
import Primitives
import Testing

@Suite("letters")
struct MailTests {
    private let from: MailAddress
    private let to: MailAddress

    init() throws {
        from = try #require(MailAddress("wallet@billfold.example"))
        to = try #require(MailAddress("ada@example.com"))
    }

    private func dialogue(
        _ tls: SMTPDialogue.TLS = .offered, login: SMTPDialogue.Login? = nil, trustsLine: Bool = false
    ) -> SMTPDialogue {
        SMTPDialogue(
            from: from, to: to, message: Array("Subject: x\r\n\r\n.\r\n..y\r\n".utf8), tls: tls, login: login,
            trustsLine: trustsLine)
    }

    private func reply(_ code: Int, _ lines: String...) -> SMTPDialogue.Reply { .init(code: code, lines: lines) }
    private func line(_ text: String) -> SMTPDialogue.Step { .send(Array((text + "\r\n").utf8)) }

    @Test("a letter's way: hello, STARTTLS, hello again, log-in, from, to, data with its periods doubled")
    func whole() {
        var smtp = dialogue(.required, login: .init(user: "u", password: "p"))
        #expect(smtp.receive(reply(220, "mail")) == line("EHLO billfold"))
        #expect(smtp.receive(reply(250, "mail", "STARTTLS", "AUTH LOGIN")) == line("STARTTLS"))
        #expect(smtp.receive(reply(220, "go")) == .startTLS)
        #expect(smtp.secured() == line("EHLO billfold"))
        #expect(smtp.receive(reply(250, "mail", "AUTH LOGIN PLAIN")) == line("AUTH PLAIN AHUAcA=="))
        #expect(smtp.receive(reply(235, "ok")) == line("MAIL FROM:<wallet@billfold.example>"))
        #expect(smtp.receive(reply(250, "ok")) == line("RCPT TO:<ada@example.com>"))
        #expect(smtp.receive(reply(250, "ok")) == line("DATA"))
        #expect(
            smtp.receive(reply(354, "go")) == .send(Array("Subject: x\r\n\r\n..\r\n...y\r\n.\r\n".utf8)))
        #expect(smtp.receive(reply(250, "queued")) == .end(.delivered()))
    }

    @Test("no letter without TLS where that is required, and no password over an open line")
    func security() {
        var smtp = dialogue(.required)
        _ = smtp.receive(reply(220, ""))
        #expect(smtp.receive(reply(250, "mail")) == .end(.failed("no_starttls")))
        let login = SMTPDialogue.Login(user: "u", password: "p")
        var open = dialogue(.offered, login: login)
        _ = open.receive(reply(220, ""))
        #expect(open.receive(reply(250, "mail", "AUTH PLAIN")) == .end(.failed("no_tls_for_password")))
        var here = dialogue(.none, login: login, trustsLine: true)
        _ = here.receive(reply(220, ""))
        #expect(here.receive(reply(250, "mail", "STARTTLS", "AUTH PLAIN")) == line("AUTH PLAIN AHUAcA=="))
        #expect(here.receive(reply(535, "wrong")) == .end(.failed("SMTP 535")))
    }

    @Test("4xx passes, 5xx does not")
    func refusals() {
        for (code, attempt) in [(450, DeliveryRules.Attempt.failed("SMTP 450")), (550, .refused("SMTP 550"))] {
            var smtp = dialogue(.none)
            _ = smtp.receive(reply(220, ""))
            _ = smtp.receive(reply(250, "mail"))
            _ = smtp.receive(reply(250, "ok"))
            #expect(smtp.receive(reply(code, "no")) == .end(attempt))
        }
    }

    @Test("5xx before the receiver is named is the server's trouble or the account's: the letter is tried again")
    func serverRefuses() {
        for said in [[], [reply(220, "")], [reply(220, ""), reply(250, "mail")]] {
            var smtp = dialogue(.none)
            for line in said { _ = smtp.receive(line) }
            #expect(smtp.receive(reply(554, "no")) == .end(.failed("SMTP 554")))
        }
    }

    @Test("replies of several lines, in whatever pieces they come")
    func replies() throws {
        let text = Array("250-mail\r\n250-STARTTLS\r\n250 AUTH PLAIN\r\n354 go\r\n".utf8)
        for piece in 1...text.count {
            var replies = SMTPReplies()
            var found: [SMTPDialogue.Reply] = []
            for start in stride(from: 0, to: text.count, by: piece) {
                found += try replies.take(text[start..<min(start + piece, text.count)])
            }
            #expect(found == [reply(250, "mail", "STARTTLS", "AUTH PLAIN"), reply(354, "go")])
        }
        var replies = SMTPReplies()
        #expect(throws: SMTPReplies.Unreadable.self) { try replies.take(Array("HTTP/1.1 400\r\n".utf8)) }
        var endless = SMTPReplies()
        #expect(throws: SMTPReplies.Unreadable.self) {
            for _ in 0..<1000 { _ = try endless.take(Array("250-and so on and so forth\r\n".utf8)) }
        }
    }

    @Test("ASCII goes as it is; what is not, in base64, with lines that every server takes")
    func messages() {
        func message(_ subject: String, _ text: String) -> String {
            let message = MailMessage(
                from: from, to: to, subject: subject, text: text, id: "1", time: NoticesHarness.start)
            return String(decoding: message.bytes, as: UTF8.self)
        }
        let plain = message("Your code", "4711\n")
        #expect(plain.contains("\r\nSubject: Your code\r\n") && plain.hasSuffix("\r\n\r\n4711\r\n"))
        #expect(plain.contains("\r\nMessage-ID: <1@billfold.example>\r\n"))
        #expect(plain.hasPrefix("Date: Wed, 18 Nov 2026 "))
        let other = message(String(repeating: "Schlüssel ", count: 15), String(repeating: "ß", count: 2000))
        #expect(other.contains("Subject: =?utf-8?B?") && other.contains("base64"))
        #expect(other.components(separatedBy: "\r\n").allSatisfy { $0.utf8.count <= 78 })
        #expect(other.utf8.allSatisfy { $0 < 0x80 })
        #expect(!plain.replacingOccurrences(of: "\r\n", with: "").contains { $0 == "\r" || $0 == "\n" })
    }
}
