import Bus
import Contracts
import Primitives
import Wire

/// A fact as its source's log has it.
struct LoggedFact: Equatable, Sendable {
    let sequence: Int64
    let type: String
    let data: JSONValue
    let envelope: JSONValue

    init(_ envelope: JSONValue) throws(Wrong) {
        guard case .string(let digits) = envelope["sequence"], let sequence = Int64(digits),
            case .string(let type) = envelope["type"]
        else { throw Wrong("a fact in its log has no sequence or no type") }
        self.sequence = sequence
        self.type = type
        data = envelope["data"] ?? .null
        self.envelope = envelope
    }

    func names(any ids: Set<String>) -> Bool { !data.identifiers.isDisjoint(with: ids) }
}

/// The log of the service under test, read with `<service>.facts.read.v1`.
struct FactLog: Sendable {
    let asker: Asker

    func head() async throws -> Int64 { try await page(after: 0, limit: 1).head }

    /// All facts behind a number.
    func facts(after start: Int64) async throws -> [LoggedFact] {
        var facts: [LoggedFact] = []
        while true {
            let cursor = facts.last?.sequence ?? start
            let (found, head) = try await page(after: cursor, limit: 1000)
            guard cursor < head else { return facts }
            for (index, fact) in found.enumerated() {
                try require(
                    fact.sequence == cursor + 1 + Int64(index),
                    "behind fact \(cursor + Int64(index)) comes \(fact.sequence)")
            }
            try require(!found.isEmpty, "behind \(cursor) there are no facts, and the head is \(head)")
            facts += found
        }
    }

    func fact(_ sequence: Int64) async throws -> LoggedFact {
        guard let fact = try await page(after: sequence - 1, limit: 1).facts.first else {
            throw Wrong("its log has no fact \(sequence)")
        }
        return fact
    }

    private func page(after: Int64, limit: Int64) async throws -> (facts: [LoggedFact], head: Int64) {
        let type = MessageType("\(asker.service).facts.read.v1")
        let data: JSONValue = ["after": .integer(after), "limit": .integer(limit)]
        guard case .reply(let page) = try await asker.answer(type, data: Array(data.text.utf8)),
            case .array(let facts) = page["facts"], case .integer(let head) = page["head"]
        else { throw Wrong("\(type) after \(after) gives no page") }
        return (try facts.map(LoggedFact.init), head)
    }
}
