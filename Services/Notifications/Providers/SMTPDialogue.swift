import Foundation

/// The client's side of one letter's SMTP session (RFC 5321, with STARTTLS of RFC 3207 and AUTH PLAIN of RFC 4616): a
/// value without socket. It is told each reply and says what to do next.
package struct SMTPDialogue: Sendable {
    package enum TLS: String, Sendable, CaseIterable {
        /// STARTTLS where the server offers it.
        case offered
        /// No letter without it.
        case required
        case none
    }

    package struct Login: Sendable {
        package let user, password: String

        package init(user: String, password: String) {
            self.user = user
            self.password = password
        }
    }

    package struct Reply: Sendable, Equatable {
        package let code: Int
        /// One for each line, without code.
        package let lines: [String]

        package init(code: Int, lines: [String]) {
            self.code = code
            self.lines = lines
        }
    }

    package enum Step: Sendable, Equatable {
        case send([UInt8])
        /// Begin TLS, then call `secured`.
        case startTLS
        case end(DeliveryRules.Attempt)
    }

    private enum State {
        case greeting, hello, startTLS, login, from, to, data, content
    }

    private let from, to: String
    private let message: [UInt8]
    private let tls: TLS
    private let login: Login?
    /// Whether a password may go over a line that is not encrypted: to this very machine.
    private let trustsLine: Bool
    private var state = State.greeting
    private var isSecure = false

    package init(
        from: MailAddress, to: MailAddress, message: [UInt8], tls: TLS, login: Login?, trustsLine: Bool
    ) {
        self.from = from.text
        self.to = to.text
        self.message = message
        self.tls = tls
        self.login = login
        self.trustsLine = trustsLine
    }

    package mutating func receive(_ reply: Reply) -> Step {
        switch (state, reply.code) {
        case (.greeting, 220):
            state = .hello
            return hello
        case (.hello, 250): return afterHello(Set(reply.lines.dropFirst().map { $0.uppercased() }))
        case (.startTLS, 220): return .startTLS
        case (.login, 235): return beginLetter()
        case (.from, 250):
            state = .to
            return line("RCPT TO:<\(to)>")
        case (.to, 250...251):
            state = .data
            return line("DATA")
        case (.data, 354):
            state = .content
            return .send(Self.stuffed(message) + Array(".\r\n".utf8))
        // It is the server's now. QUIT is a courtesy that nothing waits for.
        case (.content, 250): return .end(.delivered())
        // The account's trouble or the server's, not the letter's.
        case (.greeting, _), (.hello, _), (.startTLS, _), (.login, _), (.from, _):
            return .end(.failed("SMTP \(reply.code)"))
        case (_, 500...599): return .end(.refused("SMTP \(reply.code)"))
        default: return .end(.failed("SMTP \(reply.code)"))
        }
    }

    /// TLS has begun: all that the server said before counts no more.
    package mutating func secured() -> Step {
        isSecure = true
        state = .hello
        return hello
    }

    private var hello: Step { line("EHLO billfold") }

    private mutating func afterHello(_ offers: Set<String>) -> Step {
        if !isSecure, tls != .none {
            if offers.contains("STARTTLS") {
                state = .startTLS
                return line("STARTTLS")
            }
            if tls == .required { return .end(.failed("no_starttls")) }
        }
        guard let login else { return beginLetter() }
        guard isSecure || trustsLine else { return .end(.failed("no_tls_for_password")) }
        guard offers.contains(where: { $0.hasPrefix("AUTH ") && $0.split(separator: " ").contains("PLAIN") }) else {
            return .end(.failed("no_auth_plain"))
        }
        state = .login
        return line("AUTH PLAIN " + Data("\0\(login.user)\0\(login.password)".utf8).base64EncodedString())
    }

    private mutating func beginLetter() -> Step {
        state = .from
        return line("MAIL FROM:<\(from)>")
    }

    private func line(_ text: String) -> Step { .send(Array((text + "\r\n").utf8)) }

    /// RFC 5321 section 4.5.2: a line that begins with a period gets one more.
    package static func stuffed(_ message: [UInt8]) -> [UInt8] {
        var stuffed: [UInt8] = []
        stuffed.reserveCapacity(message.count + 16)
        var isLineStart = true
        for byte in message {
            if isLineStart, byte == UInt8(ascii: ".") { stuffed.append(byte) }
            stuffed.append(byte)
            isLineStart = byte == 10
        }
        return stuffed
    }
}

/// Puts replies together from what a server sends (RFC 5321 section 4.2).
package struct SMTPReplies: Sendable {
    /// Bytes of one reply, and of the longest line.
    package static let bytesMax = 16 * 1024

    package struct Unreadable: Error {}

    private var bytes: [UInt8] = []

    package init() {}

    /// Whether nothing is left of a reply that has not come whole.
    package var isEmpty: Bool { bytes.isEmpty }

    /// - Returns: the replies that are complete.
    /// - Throws: for what is no reply, or too long a one.
    package mutating func take(_ received: some Sequence<UInt8>) throws(Unreadable) -> [SMTPDialogue.Reply] {
        bytes += received
        var replies: [SMTPDialogue.Reply] = []
        while let reply = try next() { replies.append(reply) }
        guard bytes.count <= Self.bytesMax else { throw Unreadable() }
        return replies
    }

    private mutating func next() throws(Unreadable) -> SMTPDialogue.Reply? {
        var lines: [String] = []
        var begin = 0
        while let end = bytes[begin...].firstIndex(of: 10) {
            var line = bytes[begin..<end]
            if line.last == 13 { line.removeLast() }
            begin = end + 1
            let text = String(decoding: line, as: UTF8.self)
            guard line.count >= 3, let code = Int(text.prefix(3)), (200...599).contains(code) else {
                throw Unreadable()
            }
            lines.append(String(text.dropFirst(4)))
            if line.count == 3 || line[line.startIndex + 3] != UInt8(ascii: "-") {
                bytes.removeFirst(begin)
                return SMTPDialogue.Reply(code: code, lines: lines)
            }
        }
        return nil
    }
}
