import Bus
import Contracts
import Primitives
import Wire

extension Trial {
    /// How long what follows from a fact of another service may take, however busy the machine.
    static let factPatience = Duration.seconds(20)

    /// The facts of a type behind a number, as their contract reads them.
    func facts<F: Fact>(_ type: F.Type, after start: Int64) async throws -> [F] {
        try (await log?.facts(after: start) ?? []).filter { $0.type == F.type.name }.map { fact in
            do throws(WireError) { return try F(json: Array(fact.data.text.utf8)) } catch {
                throw Wrong("fact \(fact.sequence) is not as its contract says: \(error)")
            }
        }
    }

    /// Waits for the fact of a type that a condition holds for.
    ///
    /// - Throws: `Wrong` where there is none in time, or more than `count`.
    func fact<F: Fact>(
        _ type: F.Type, after start: Int64, count: Int = 1, where condition: (F) -> Bool
    ) async throws -> F {
        let end = ContinuousClock.now + Self.factPatience
        while true {
            let found = try await facts(type, after: start).filter(condition)
            if found.count >= count, let last = found.last {
                try require(found.count == count, "\(F.type) is in the log \(found.count) times, not \(count)")
                return last
            }
            guard ContinuousClock.now < end else {
                throw Wrong("after \(Self.factPatience) \(F.type) is in the log \(found.count) times, not \(count)")
            }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// The reply, or the code that it is refused with.
    func outcome<A: Ask>(_ ask: A) async throws -> (reply: A.Reply?, code: FaultCode?) {
        switch try await asker.answer(ask) {
        case .reply(let data): (try asker.decode(A.self, data), nil)
        case .fault(let fault): (nil, fault.code)
        }
    }

    /// Throws unless the ask is refused with one of these codes.
    func expect<A: Ask>(_ ask: A, refusedWith codes: FaultCode..., when: String) async throws {
        let (_, code) = try await outcome(ask)
        guard let code else { throw Wrong("\(when) \(A.type) is done, and should be refused with \(codes[0])") }
        try require(codes.contains(code), "\(when) \(A.type) is refused with \(code), not with \(codes[0])")
    }
}
