import Bus
import Contracts
import Primitives
import Wire

/// What a service knows about one ask at a moment, read through its contract: the same before and after an ask that is
/// refused or repeated.
struct Snapshot: Equatable, Sendable {
    /// Figures that each act moves: balances, counts.
    let figures: [Int64]
    /// What the contract's reads say.
    let reads: [String]
    /// The facts in the service's log that name an id of the ask, oldest first.
    let facts: [LoggedFact]

    /// The first difference from an earlier snapshot, as the end of a sentence; nil where there is none.
    func difference(from earlier: Snapshot) -> String? {
        if figures != earlier.figures { return "its figures are \(figures), and were \(earlier.figures)" }
        for (now, before) in zip(reads, earlier.reads) where now != before {
            return "it reads \(now), and read \(before)"
        }
        guard facts != earlier.facts else { return nil }
        let (now, before) = (facts.map(\.type), earlier.facts.map(\.type))
        return now == before
            ? "facts in its log have changed"
            : "its log has the facts [\(now.joined(separator: ", "))] of it, and had [\(before.joined(separator: ", "))]"
    }
}

extension World {
    /// What an ask reads, for comparing: the reply's data, or the code that it is refused with.
    nonisolated func reading<A: Ask>(_ ask: A) async throws -> String {
        do throws(Fault) {
            return String(
                decoding: try await bus.ask(ask, in: AskContext(deadline: now + Self.patience)).json, as: UTF8.self)
        } catch {
            guard error.code.retry == .never else { throw Wrong("\(A.type) is refused with \(error.code)") }
            return error.code.code
        }
    }

    /// What becomes of an ask whose answer is another one each time: done, or the code that it is refused with.
    nonisolated func outcome<A: Ask>(_ ask: A) async throws -> String {
        do throws(Fault) { _ = try await bus.ask(ask, in: AskContext(deadline: now + Self.patience)) } catch {
            return error.code.code
        }
        return "done"
    }

    /// The ids that an ask has for itself: without the accounts and the card that all cases share.
    func ownIDs<A: Ask>(of ask: A) async -> Set<String> {
        var shared: Set<String> = [(nobody() as PartyID).hex]
        if let party = try? await knownCustomer?.value { shared.insert(party.hex) }  // not made: nothing to leave out
        if let party = try? await knownMerchant?.value { shared.insert(party.hex) }
        if let own = try? await knownCard?.value { shared.insert(own.card.hex) }
        guard let data = try? JSONValue(parsing: ask.json) else { return [] }  // a contract writes what it can read
        return data.identifiers.subtracting(shared)
    }
}

extension JSONValue {
    /// All texts in it that are identifiers: 32 hexadecimal digits.
    var identifiers: Set<String> {
        switch self {
        case .string(let text) where text.utf8.count == 32 && text.utf8.allSatisfy(Alphabet.hexDigits.contains): [text]
        case .array(let elements): elements.reduce(into: []) { $0.formUnion($1.identifiers) }
        case .object(let members): members.reduce(into: []) { $0.formUnion($1.value.identifiers) }
        default: []
        }
    }
}
