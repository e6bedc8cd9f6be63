import NATS
import Testing

@Suite("A connection to a NATS server")
struct NATSSessionTests {
    private func take(_ session: inout NATSSession, _ line: String, at now: UInt64 = 0) throws -> String {
        var parser = NATSParser()
        return try Array("\(line)\r\n".utf8).withUnsafeBytes { bytes in
            let operation = try #require(try parser.next(bytes)).operation
            return switch try session.take(operation, now: now) {
            case .nothing: "nothing"
            case .secure: "secure"
            case .logIn: "log in"
            case .opened: "opened"
            case .answerPing: "answer"
            case .answered: "answered"
            case .note(let refusal): "note \(refusal)"
            }
        }
    }

    private func opened() throws -> NATSSession {
        var session = NATSSession(isEncrypted: false)
        #expect(try take(&session, "INFO {}") == "log in")
        _ = session.ping()
        #expect(try take(&session, "PONG") == "opened")
        return session
    }

    @Test("is open when the server has answered what it was told")
    func opens() throws {
        var session = NATSSession(isEncrypted: false)
        #expect(try take(&session, #"INFO {"max_payload":7,"connect_urls":["a:1","b:2"]}"#) == "log in")
        #expect(session.info.bodyBytesMax == 7)
        #expect(session.info.servers == ["a:1", "b:2"])
        _ = session.ping()
        #expect(try take(&session, "PING") == "answer")
        #expect(!session.isOpen)
        #expect(try take(&session, "PONG") == "opened")
        #expect(session.isOpen)
        #expect(try take(&session, #"INFO {"ldm":true}"#) == "nothing")
        #expect(session.info.isLeaving)
    }

    @Test("is encrypted before anything is said, or ends")
    func encrypted() throws {
        var session = NATSSession(isEncrypted: true)
        #expect(try take(&session, #"INFO {"tls_required":true}"#) == "secure")
        #expect(session.stage == .securing)
        session.secured()
        #expect(session.stage == .loggingIn)
        var plain = NATSSession(isEncrypted: true)
        #expect(throws: NATSFault.self) { try take(&plain, "INFO {}") }
        var required = NATSSession(isEncrypted: false)
        #expect(throws: NATSFault.self) { try take(&required, #"INFO {"tls_required":true}"#) }
    }

    @Test("ends with what the server does not let in, and goes on with what it does not let through")
    func refused() throws {
        for words in ["Authorization Violation", "User Authentication Expired", "Account Authentication Revoked"] {
            var session = try opened()
            let fault = #expect(throws: NATSFault.self) { try take(&session, "-ERR '\(words)'") }
            #expect(fault?.isRefusal == true)
        }
        var session = try opened()
        let violation = #"Permissions Violation for Publish to "billfold.ask.wallet""#
        #expect(try take(&session, "-ERR '\(violation)'") == "note \(violation)")
        #expect(session.complaint == nil)
        #expect(try take(&session, "-ERR 'Invalid Subject'") == "nothing")
        #expect(session.isOpen && session.complaint == "Invalid Subject")
    }

    @Test("is gone when the server answers no PING")
    func silent() throws {
        var session = try opened()
        var now = NATSSession.pingPause - 1
        #expect(try !session.isPingDue(now))
        for _ in 0..<NATSSession.unansweredMax {
            now += NATSSession.pingPause
            let isDue = try session.isPingDue(now)
            #expect(isDue)
            _ = session.ping()
        }
        var answered = session
        #expect(try take(&answered, "PONG") == "answered")
        now += NATSSession.pingPause
        let isDue = try answered.isPingDue(now)
        #expect(isDue)
        #expect(throws: NATSFault.self) { try session.isPingDue(now) }
    }

    @Test("knows which PINGs were answered")
    func pings() throws {
        var session = try opened()
        let (first, second) = (session.ping(), session.ping())
        #expect(!session.isAnswered(first))
        _ = try take(&session, "PONG")
        #expect(session.isAnswered(first))
        #expect(!session.isAnswered(second))
    }
}

@Suite("The servers that a connection to NATS tries")
struct NATSPoolTests {
    @Test("take turns, and those that servers name come behind")
    func turns() {
        var pool = NATSPool(["a:1", "b:2"])
        pool.learn(["b:2", "c:3", "not a server", "[::1]:4", "d"])
        #expect(pool.hosts == ["a:1", "b:2", "c:3", "[::1]:4", "d:4222"])
        let taken = (0..<6).map { _ in pool.take() }
        #expect(taken == pool.hosts + ["a:1"])
        pool.learn((0..<1_000).map { "x:\($0 + 1)" })
        #expect(pool.hosts.count == 66)
    }

    @Test("end it when none lets it in, or two do not any more")
    func refusals() {
        var pool = NATSPool(["a:1", "b:2", "c:3"])
        var ends = (0..<3).map { _ in pool.refuse() }
        #expect(ends == [false, false, true])
        pool.accept()
        ends = (0..<2).map { _ in pool.refuse() }
        #expect(ends == [false, true])
        var single = NATSPool(["a:1"])
        let ended = single.refuse()
        #expect(ended)
    }
}
