import Bus
import Contracts
import Primitives
import Synchronization
import TestKit

/// A transport within one process: asks go to whoever serves, facts to whoever listens, and a script may come between.
final class MemoryTransport: Transport {
    struct Asked: Sendable {
        let service: String
        let retry: RetryClass
        let deadline: Timestamp
        let body: [UInt8]
    }

    private struct State {
        var receive: (@Sendable ([TransportAsk]) -> Void)?
        var waiting: [ReplyToken: CheckedContinuation<TransportAnswer, Never>] = [:]
        var tokens: UInt64 = 0
        var asked: [Asked] = []
        var listeners: [(prefix: String, receive: @Sendable ([[UInt8]]) -> Void)] = []
        var published: [PublishedFact] = []
    }
    private let state = Mutex(State())

    /// What becomes of the n-th ask (from 0); nil lets it through to whoever serves. Runs in the asker's task.
    let script: @Sendable (Int, Asked) async -> TransportAnswer?
    /// Told of each ask and each fact, so that tests can wait for one.
    let asks = Counter()
    let facts = Counter()

    init(
        script: @escaping @Sendable (Int, Asked) async -> TransportAnswer? = { _, _ in nil }
    ) {
        self.script = script
    }

    var asked: [Asked] { state.withLock { $0.asked } }
    var published: [PublishedFact] { state.withLock { $0.published } }

    // MARK: Transport

    var executor: any TaskExecutor { globalConcurrentExecutor }

    func ask(service: String, retry: RetryClass, deadline: Timestamp, body: [UInt8]) async -> TransportAnswer {
        let ask = Asked(service: service, retry: retry, deadline: deadline, body: body)
        let number = state.withLock { state in
            state.asked.append(ask)
            return state.asked.count - 1
        }
        asks.add(1)
        if let answer = await script(number, ask) { return answer }
        return await deliver(body, deadline: deadline)
    }

    func ask(
        service: String, retry: RetryClass, deadline: Timestamp, body: [UInt8],
        then: @escaping @Sendable (TransportAnswer) -> Void
    ) {
        Task { then(await ask(service: service, retry: retry, deadline: deadline, body: body)) }
    }

    func serve(_ service: String, credit: Int, receive: @escaping @Sendable ([TransportAsk]) -> Void) {
        state.withLock { $0.receive = receive }
    }

    func reply(to token: ReplyToken, body: [UInt8]) {
        state.withLock { $0.waiting.removeValue(forKey: token) }?.resume(returning: .envelope(body))
    }

    func drain(atMost patience: Duration) async {}

    func publish(_ facts: [PublishedFact]) {
        let listeners = state.withLock { state in
            state.published += facts
            return state.listeners
        }
        for listener in listeners {
            let received = facts.filter { "\($0.type)\0".hasPrefix(listener.prefix) }.map(\.envelope)
            if !received.isEmpty { listener.receive(received) }
        }
        self.facts.add(facts.count)
    }

    func subscribe(to prefix: String, receive: @escaping @Sendable ([[UInt8]]) -> Void) {
        state.withLock { $0.listeners.append((prefix, receive)) }
    }

    // MARK: What a broker does

    /// Hands one ask to whoever serves, whatever its body is, and waits for the answer.
    func deliver(_ body: [UInt8]?, deadline: Timestamp? = nil) async -> TransportAnswer {
        guard let receive = state.withLock({ $0.receive }) else { return .refused(.noWorker) }
        let token = newToken()
        return await withCheckedContinuation { continuation in
            wait(for: token, continuation)
            receive([TransportAsk(token: token, deadline: deadline, body: body)])
        }
    }

    /// Hands over many asks at once, as a reactor does with all that came in one turn.
    func deliver(together bodies: [[UInt8]]) async -> [TransportAnswer] {
        let asks = bodies.map { TransportAsk(token: newToken(), deadline: nil, body: $0) }
        let registered = Counter()
        let answers = asks.map { ask in
            Task { [self] in
                await withCheckedContinuation { continuation in
                    wait(for: ask.token, continuation)
                    registered.add(1)
                }
            }
        }
        await registered.reach(asks.count)
        state.withLock { $0.receive }?(asks)
        var all: [TransportAnswer] = []
        for answer in answers { all.append(await answer.value) }
        return all
    }

    private func newToken() -> ReplyToken {
        state.withLock { state in
            state.tokens += 1
            return ReplyToken(high: 7, low: state.tokens)
        }
    }

    private func wait(for token: ReplyToken, _ continuation: CheckedContinuation<TransportAnswer, Never>) {
        state.withLock { $0.waiting[token] = continuation }
    }
}
