import BusZMQ
import NATS
import Primitives
import Testing

@Suite("Servers of NATS, as a setting names them")
struct NATSServersTests {
    @Test("are one or several, with a port or the usual one")
    func hosts() throws {
        #expect(try NATSServers("nats://a").hosts == ["a:4222"])
        #expect(try NATSServers("nats://a:1,b:2,nats://c").hosts == ["a:1", "b:2", "c:4222"])
        #expect(try NATSServers("tls://[::1]:4443").hosts == ["[::1]:4443"])
        #expect(try NATSServers("tls://[::1]").hosts == ["[::1]:4222"])
        #expect(try NATSServers("tls://a").isEncrypted)
        #expect(try !NATSServers("nats://a").isEncrypted)
    }

    @Test("may name a user, whose password is never shown")
    func login() throws {
        let servers = try NATSServers("nats://wallet:top@secret@a:1,b")
        #expect(servers.login?.user == "wallet")
        #expect(servers.login?.password == "top@secret")
        #expect(servers.hosts == ["a:1", "b:4222"])
        #expect(!"\(servers) \(servers.login!)".contains("secret"))
    }

    @Test(
        "are refused when they cannot be meant",
        arguments: [
            "", "a:1", "http://a", "nats://", "nats://a:0", "nats://a:70000", "nats://a,tls://b", "tls://a,nats://b",
            "nats://user@a", "nats://:secret@a", "nats://a,", "nats://a/path", "nats://u:secret", "nats://u:secret,x@a",
            "nats://a,u:secret,x@b"
        ])
    func refused(text: String) {
        let error = #expect(throws: NATSError.self) { try NATSServers(text) }
        #expect(error?.description.contains("secret") != true)
    }
}

@Suite("Subjects of NATS")
struct NATSSubjectsTests {
    @Test("of facts are those that a prefix may mean")
    func facts() {
        #expect(NATSSubjects.facts(beginningWith: "a.b.v1\0") == "billfold.fact.a.b.v1")
        #expect(NATSSubjects.facts(beginningWith: "a.") == "billfold.fact.a.>")
        #expect(NATSSubjects.facts(beginningWith: "a.b") == "billfold.fact.a.>")
        #expect(NATSSubjects.facts(beginningWith: "a") == "billfold.fact.>")
        #expect(NATSSubjects.facts(beginningWith: "") == "billfold.fact.>")
    }

    @Test(
        "that an asker names for its answer are no other ones of Billfold's",
        arguments: [
            ("billfold.answer.gateway.a.1", true), ("_INBOX.a.1", true),
            ("billfold.fact.auth.merchant.decided.v1", false),
            ("billfold.ask.wallet", false), ("billfold.who", false)
        ])
    func named(subject: String, isAllowed: Bool) {
        #expect(Array(subject.utf8).withUnsafeBytes { NATSSubjects.isForAnswers($0) } == isAllowed)
    }

    @Test("of answers end with a number")
    func numbers() {
        let inbox = Array(NATSSubjects.inbox(of: "a", 7).utf8)
        for number: UInt64 in [0, 1, 15, 16, 0x1_0000_0000, 0x0123_4567_89AB_CDEF, .max] {
            var digits = [UInt8](repeating: 0, count: NATSSubjects.digitsMax)
            let count = digits.withUnsafeMutableBytes { NATSSubjects.write(number, to: $0) }
            #expect(String(decoding: digits[..<count], as: UTF8.self) == String(number, radix: 16))
            #expect((inbox + digits[..<count]).withUnsafeBytes { NATSSubjects.number(atEndOf: $0) } == number)
        }
        for other in ["", "1", "a.", "a.X", "a.0123456789abcdef0", "a.A"] {
            #expect(Array(other.utf8).withUnsafeBytes { NATSSubjects.number(atEndOf: $0) } == nil, "\(other)")
        }
    }

    @Test("of the answers to one connection are its own, one token for each")
    func inboxes() {
        let randoms: [UInt64] = [0, 1, 63, 64, 1 << 63, .max]
        let inboxes = Set(randoms.map { NATSSubjects.inbox(of: "wallet", $0) })
        #expect(inboxes.count == randoms.count)
        for inbox in inboxes {
            #expect(inbox.hasPrefix("billfold.answer.wallet."))
            #expect(inbox.split(separator: ".").count == 4 && inbox.hasSuffix("."))
            #expect(NATSSubjects.token(inbox.replacing(".", with: "")) == inbox.replacing(".", with: ""))
        }
    }

    @Test("take any user's name as one token")
    func tokens() {
        #expect(NATSSubjects.token("wallet-1") == "wallet-1")
        #expect(NATSSubjects.token("a.b *>") == "a_b___")
        #expect(NATSSubjects.token("") == NATSSubjects.anyone)
    }
}

@Suite("The numbers of answers on NATS")
struct ReplyNumbersTests {
    /// A tag of the place, as asks of it follow each other.
    private func tag(_ place: UInt64, _ use: UInt64) -> UInt64 { use << 32 | place }

    @Test("are used again when they were answered, and give the ask that has them now")
    func again() {
        var numbers = ReplyNumbers()
        let first = numbers.take(tag(3, 0))
        #expect(numbers.tag(of: first) == tag(3, 0))
        #expect(numbers.number(of: tag(3, 0)) == first)
        numbers.end(first)
        #expect(numbers.tag(of: first) == nil, "an answer counts once")
        #expect(numbers.number(of: tag(3, 0)) == nil)
        let second = numbers.take(tag(3, 1))
        #expect(second == first)
        #expect(numbers.tag(of: second) == tag(3, 1))
        #expect(numbers.number(of: tag(3, 0)) == nil)
    }

    @Test("of asks that were given up are never used again, whenever their answers come")
    func late() {
        var numbers = ReplyNumbers()
        var givenUp: [UInt64] = []
        for use in 0..<100 as Range<UInt64> { givenUp.append(numbers.take(tag(0, use))) }
        let number = numbers.take(tag(0, 100))
        #expect(Set(givenUp + [number]).count == 101)
        for late in givenUp {
            #expect(numbers.tag(of: late) == nil)
            numbers.end(late)
        }
        #expect(numbers.tag(of: number) == tag(0, 100), "late answers end nothing")
        numbers.end(number)
        let next = numbers.take(tag(0, 101))
        #expect(next == number)
    }

    @Test("of one place are another's never")
    func places() {
        var numbers = ReplyNumbers()
        let all = (0..<1_000 as Range<UInt64>).map { numbers.take(tag($0, 0)) }
        #expect(Set(all).count == 1_000)
        #expect(numbers.tag(of: 1_000) == nil)
    }

    @Test("of a lost connection are given up, but those that were answered")
    func lost() {
        var numbers = ReplyNumbers()
        let (open, answered) = (numbers.take(tag(0, 0)), numbers.take(tag(1, 0)))
        numbers.end(answered)
        numbers.giveUpAll()
        #expect(numbers.tag(of: open) == nil)
        let (next, again) = (numbers.take(tag(0, 1)), numbers.take(tag(1, 1)))
        #expect(next != open)
        #expect(again == answered)
        #expect(numbers.tag(of: open) == nil)
    }

    @Test("for many answers are no ask's")
    func once() {
        var numbers = ReplyNumbers()
        let (first, second) = (numbers.takeOnce(), numbers.takeOnce())
        let ask = numbers.take(tag(0, 0))
        #expect(Set([first, second, ask]).count == 3)
        #expect(numbers.tag(of: first) == nil)
    }
}

@Suite("Asks that are kept until they are answered")
struct KeptAsksTests {
    private let now = Timestamp(milliseconds: 1_000_000)

    private func keep(_ asks: inout KeptAsks, _ tag: UInt64, lasting milliseconds: Int64, bytes: Int = 2) {
        asks.keep(
            tag, deadline: Timestamp(milliseconds: now.milliseconds + milliseconds), service: Array("echo".utf8)[...],
            body: [UInt8](repeating: 1, count: bytes))
    }

    private func waits(_ asks: inout KeptAsks, _ tag: UInt64, at monotonic: UInt64 = 0) -> Bool {
        asks.wait(tag, monotonic: monotonic, time: now)
    }

    @Test("are sent again while nobody serves, and refused at their deadline")
    func again() {
        var asks = KeptAsks()
        keep(&asks, 5, lasting: 100)
        var waited = waits(&asks, 5)
        #expect(waited)
        let first = asks.due(asks.nextDue)
        #expect(first.again.map(\.tag) == [5])
        #expect(asks.nextDue == .max)
        waited = waits(&asks, 5, at: 90_000_000)
        #expect(waited)
        #expect(asks.nextDue == 100_000_000, "no later than the deadline, which was set by the first refusal")
        let second = asks.due(100_000_000)
        #expect(second.again.isEmpty)
        #expect(second.refused == [5])
        waited = waits(&asks, 5, at: 100_000_000)
        #expect(!waited, "it is forgotten")
    }

    @Test("are forgotten with their answer, and when their place has another ask")
    func ended() {
        var asks = KeptAsks()
        keep(&asks, 3, lasting: 100)
        asks.end(3)
        var waited = waits(&asks, 3)
        #expect(!waited)
        keep(&asks, 3, lasting: 100)
        keep(&asks, 1 << 32 | 3, lasting: 100)
        waited = waits(&asks, 3)
        #expect(!waited)
        waited = waits(&asks, 1 << 32 | 3)
        #expect(waited)
    }

    @Test("take bounded memory: one beyond it is refused when nobody serves")
    func bounded() {
        var asks = KeptAsks()
        keep(&asks, 0, lasting: 100, bytes: KeptAsks.bytesMax)
        keep(&asks, 1, lasting: 100)
        var waited = waits(&asks, 1)
        #expect(!waited)
        asks.forgetOld(Timestamp(milliseconds: now.milliseconds + 5_000))
        keep(&asks, 1, lasting: 100)
        waited = waits(&asks, 1)
        #expect(waited)
    }
}

@Suite("A worker's queue on NATS")
struct WorkerQueueTests {
    /// How many of the messages the queue takes.
    private func offer(_ messages: Range<Int>, bytes: Int = 1, to queue: inout WorkerQueue<Int>) -> Int {
        messages.reduce(0) { $0 + (queue.offer($1, bytes: bytes) ? 1 : 0) }
    }

    @Test("gives no more than its credit, in the order in which they came")
    func credit() throws {
        var queue = WorkerQueue<Int>(credit: 2)
        let taken = offer(0..<4, to: &queue)
        #expect(taken == 4)
        let (first, second, third) = (queue.next(), queue.next(), queue.next())
        #expect(first?.message == 0)
        #expect(second?.message == 1)
        #expect(third == nil)
        #expect(queue.waitingCount == 2)
        let token = try #require(second?.token)
        let (ended, again) = (queue.end(token), queue.end(token))
        #expect(ended == 1)
        #expect(again == nil, "a token counts once")
        let next = queue.next()
        #expect(next?.message == 2)
        #expect(queue.given == 2)
    }

    @Test("gives an ask at once where nothing waits and a handler is free")
    func atOnce() throws {
        var queue = WorkerQueue<Int>(credit: 1)
        let first = queue.give(7)
        let token = try #require(first)
        let second = queue.give(8)
        #expect(second == nil, "its credit is used up")
        let offered = offer(8..<9, to: &queue)
        #expect(offered == 1)
        let ended = queue.end(token)
        #expect(ended == 7)
        let third = queue.give(9)
        #expect(third == nil, "another waits")
        let next = queue.next()
        #expect(next?.message == 8)
        #expect(queue.asks == 2)
    }

    @Test("is bounded by number and by bytes")
    func bounded() {
        var queue = WorkerQueue<Int>(credit: 1)
        let large = offer(0..<2, bytes: WorkerQueue<Int>.waitingBytesMax, to: &queue)
        #expect(large == 1)
        let removed = queue.removeWaiting()
        #expect(removed == [0])
        let many = offer(0..<(WorkerQueue<Int>.waitingMax + 5), to: &queue)
        #expect(many == WorkerQueue<Int>.waitingMax)
    }
}

@Suite("What NATS refuses")
struct NATSRefusalTests {
    @Test(
        "is a subscription, a message or an answer, by the server's words",
        arguments: [
            (
                #"Permissions Violation for Subscription to "billfold.ask.wallet" using queue "wallet""#,
                NATSRefusal.Kind.subscription
            ),
            (#"Permissions Violation for Subscription to "billfold.answer.>""#, .subscription),
            (#"Permissions Violation for Publish to "billfold.ask.wallet""#, .message),
            (#"Permissions Violation for Publish to "billfold.fact.wallet.facts.head.v1""#, .message),
            (#"Permissions Violation for Publish to "billfold.answer.gateway.01.02""#, .answer)
        ])
    func kind(text: String, kind: NATSRefusal.Kind) {
        let refusal = NATSRefusal(text)
        #expect(refusal.kind == kind)
        #expect(refusal.description == text)
    }
}
