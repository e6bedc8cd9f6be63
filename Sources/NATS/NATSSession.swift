/// Where one connection to a server is at, and what is to be done about what the server says.
package struct NATSSession {
    package enum Stage {
        /// The server is to say who it is.
        case meeting
        case securing
        /// The server is to answer the PING behind who we are, and what we subscribe to.
        case loggingIn
        case open
    }

    /// What its owner has to do.
    package enum Step {
        case nothing
        case secure
        case logIn
        /// The connection is open: messages arrive, and so do their answers.
        case opened
        case answerPing
        /// The server has taken all that was sent before a PING.
        case answered
        case note(NATSRefusal)
    }

    /// Nanoseconds between two PINGs.
    package static let pingPause: UInt64 = 2_000_000_000
    /// A server that answers none of so many is gone.
    package static let unansweredMax = 3

    package private(set) var stage = Stage.meeting
    package private(set) var info = NATSInfo()
    /// The server's last complaint: why it closes the connection, if it does so now.
    package private(set) var complaint: String?
    private let isEncrypted: Bool
    private var pingsSent = 0
    private var pingsAnswered = 0
    private var unanswered = 0
    /// When the next PING is due.
    package private(set) var nextPing: UInt64 = 0

    package init(isEncrypted: Bool) { self.isEncrypted = isEncrypted }

    package var isOpen: Bool { stage == .open }

    /// - Parameter now: monotonic nanoseconds.
    package mutating func take(_ operation: NATSOperation, now: UInt64) throws(NATSFault) -> Step {
        switch operation {
        case .ok, .message: return .nothing
        case .ping: return .answerPing
        case .pong: return answered(now)
        case .info(let json):
            info = try NATSInfo(json)
            return stage == .meeting ? try meet() : .nothing
        case .error(let text): return try heard(String(decoding: text, as: UTF8.self))
        }
    }

    private mutating func meet() throws(NATSFault) -> Step {
        if isEncrypted {
            guard info.offersTLS else { throw .refused("the server offers no encryption") }
            stage = .securing
            return .secure
        }
        guard !info.requiresTLS else { throw .refused("the server requires encryption: name it with tls://") }
        stage = .loggingIn
        return .logIn
    }

    package mutating func secured() { stage = .loggingIn }

    private mutating func answered(_ now: UInt64) -> Step {
        pingsAnswered += 1
        unanswered = 0
        guard stage == .loggingIn else { return .answered }
        stage = .open
        nextPing = now + Self.pingPause
        return .opened
    }

    private mutating func heard(_ text: String) throws(NATSFault) -> Step {
        let small = text.lowercased()
        if small.hasPrefix("permissions violation") { return .note(NATSRefusal(text)) }
        // Revoked and expired ones are named by user or account.
        if small.contains("authorization violation") || small.contains("authentication expired")
            || small.contains("authentication revoked")
        {
            throw .refused(text)
        }
        complaint = text
        // Whether the server ends the connection for anything else, it shows by doing so.
        return .nothing
    }

    /// A PING is sent now.
    ///
    /// - Returns: its number, for ``isAnswered(_:)``.
    package mutating func ping() -> Int {
        pingsSent += 1
        return pingsSent
    }

    package func isAnswered(_ ping: Int) -> Bool { pingsAnswered >= ping }

    /// - Returns: whether a PING is to be sent now.
    package mutating func isPingDue(_ now: UInt64) throws(NATSFault) -> Bool {
        guard isOpen, now >= nextPing else { return false }
        guard unanswered < Self.unansweredMax else { throw .lost("the server does not answer") }
        unanswered += 1
        nextPing = now + Self.pingPause
        return true
    }
}
