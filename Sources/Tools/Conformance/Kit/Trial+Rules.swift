import Contracts

extension Trial {
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
