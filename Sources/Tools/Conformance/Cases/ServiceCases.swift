import Bus
import Contracts
import Primitives
import Synchronization
import Wire

/// What holds for a service as a whole, whatever it answers.
enum ServiceCases {
    static func cases(of specification: Specification) -> [Case] {
        let service = specification.service
        var cases = [envelope(service), unknownType(service), attributes(service)]
        if let log = specification.log { cases += [log.pages, log.heads, log.published] }
        return cases
    }

    /// Bodies that are no envelopes. Each is refused, and the service lives on.
    private static let broken: [(what: String, frame: [UInt8])] = {
        func text(_ what: String, _ text: String) -> (String, [UInt8]) { (what, Array(text.utf8)) }
        let rest = #""source":"check","type":"x.y.z.v1","data":{}}"#
        return [
            text("no JSON", "hello"), text("half an object", #"{"specversion":"1.0","id":"#), text("an array", "[]"),
            text("an envelope without id", #"{"specversion":"1.0","# + rest),
            text("an envelope with an empty id", #"{"specversion":"1.0","id":"","# + rest),
            text("specversion 2.0", #"{"specversion":"2.0","id":"a","# + rest),
            text("an id that is a number", #"{"specversion":"1.0","id":1,"# + rest),
            text("the id twice", #"{"specversion":"1.0","id":"a","id":"b","# + rest),
            text("an expirytime that is no time", #"{"specversion":"1.0","id":"a","expirytime":"soon","# + rest),
            text("an actor that is nobody", #"{"specversion":"1.0","id":"a","actor":"root","# + rest),
            ("invalid UTF-8", Array(#"{"specversion":"1.0","id":""#.utf8) + [0xFF, 0xC0] + Array((#"","# + rest).utf8))
        ]
    }()

    private static func envelope(_ service: String) -> Case {
        Case(
            "\(service)/envelope", "a body that is no envelope is refused with bus.malformed, and the service lives on",
            .reading
        ) { trial in
            for (what, frame) in broken + OddText.envelopes {
                let fault = try AnswerForm.readRefusal(try await trial.asker.send(frame))
                try require(fault.code == .malformed, "\(what) is refused with \(fault.code), not with bus.malformed")
            }
        }
    }

    private static func unknownType(_ service: String) -> Case {
        Case("\(service)/unknown-type", "a type that it does not answer is refused with bus.unknown_type", .reading) {
            trial in
            let type = MessageType("\(service).unheard.utter.v1")
            let answer = try await trial.asker.answer(type, data: Array("{}".utf8))
            guard case .fault(let fault) = answer, fault.code == .unknownType else {
                throw Wrong("\(type) is answered with \(answer.words), not with bus.unknown_type")
            }
        }
    }

    private static func attributes(_ service: String) -> Case {
        Case("\(service)/attributes", "an envelope's attributes that it does not know are passed over", .reading) {
            trial in
            let type = MessageType("\(service).stats.read.v1")
            let answer = try await trial.asker.answer(type, data: Array("{}".utf8), .init(attribute: "unheard"))
            guard case .reply = answer else {
                throw Wrong("with one more attribute \(type) is answered with \(answer.words)")
            }
        }
    }
}

/// The facts of a source, as `docs/wire.md` has them.
struct FactsSpecification: Sendable {
    let pages, heads, published: Case

    /// How many of the newest facts are looked at.
    private static let stretch: Int64 = 500
    /// A head is published once a second.
    private static let patience = Duration.seconds(5)

    /// - Parameter act: does something that leads to a fact.
    init<Source: FactSource>(_ source: Source.Type, act: @escaping @Sendable (Trial) async throws -> Void) {
        let (service, types) = (Source.service, Source.service + ".facts.read.v1")
        pages = Case(
            "\(service)/facts", "\(types) gives the facts in order, without a gap, as envelopes of this source",
            .reading
        ) { trial in
            try await Self.readPages(source, trial)
        }
        heads = Case("\(service)/heads", "the head is published at least once a second, and is the log's", .changing) {
            trial in
            let ear = Ear(trial.asker.transport, to: FactsHead<Source>.type.name + "\0")
            let known = try await Self.page(source, after: 0, limit: 1, trial).head
            try await ear.await("no head is published", within: Self.patience) { frames in
                frames.contains { ((try? Self.head(source, of: $0)) ?? -1) >= known }  // others are none
            }
            let frames = ear.frames
            let newest = try await Self.page(source, after: 0, limit: 1, trial).head
            for frame in frames {
                let head = try Self.head(source, of: frame)
                try require(head <= newest, "the head \(head) is published, and the log ends at \(newest)")
            }
        }
        published = Case(
            "\(service)/told",
            "facts are in the log when the ask is answered, and are published as the log has them: each once, in order",
            .changing
        ) { trial in
            let log = FactLog(asker: trial.asker)
            let ear = Ear(trial.asker.transport, to: "\(service).")
            // Received once, the subscription is there.
            try await ear.await("no head is published", within: Self.patience) { !$0.isEmpty }
            let before = try await log.head()
            for _ in 0..<3 { try await act(trial) }
            let kept = try await log.facts(after: before)
            guard let last = kept.last else { throw Wrong("its log has no fact of what was done") }
            let unheard = "fact \(last.sequence), or a head that tells of it, is not published"
            try await ear.await(unheard, within: Self.patience) { frames in
                // A head behind the last fact: one that comes twice has come by then.
                guard let index = frames.firstIndex(where: { (try? Envelope(json: $0))?.sequence == last.sequence })
                else { return false }
                // Other frames are no heads.
                return frames[index...].contains { ((try? Self.head(source, of: $0)) ?? 0) >= last.sequence }
            }
            let published = try ear.frames.compactMap { frame -> LoggedFact? in
                let envelope = try JSONValue(parsing: frame)
                return envelope["sequence"] == nil ? nil : try LoggedFact(envelope)
            }.filter { (before + 1...last.sequence).contains($0.sequence) }
            try require(
                published.map(\.sequence) == kept.map(\.sequence),
                "the facts \(published.map(\.sequence)) are published, and its log has \(kept.map(\.sequence))")
            for (one, other) in zip(published, kept) {
                try require(
                    Self.isSame(one.envelope, other.envelope),
                    "fact \(one.sequence) is published otherwise than its log has it")
            }
        }
    }

    /// Attributes may stand in another order.
    private static func isSame(_ one: JSONValue, _ other: JSONValue) -> Bool {
        guard case .object(let left) = one, case .object(let right) = other else { return false }
        return left.count == right.count && left.allSatisfy { right.contains($0) }
    }

    private static func head<Source: FactSource>(_ source: Source.Type, of frame: [UInt8]) throws -> Int64 {
        try FactsHead<Source>(json: Envelope(json: frame).data).head
    }

    private static func page<Source: FactSource>(
        _ source: Source.Type, after: Int64, limit: Int, _ trial: Trial
    ) async throws -> FactsPage {
        try await trial.asker.ask(ReadFacts<Source>(after: after, limit: limit))
    }

    private static func readPages<Source: FactSource>(_ source: Source.Type, _ trial: Trial) async throws {
        let head = try await page(source, after: 0, limit: 1, trial).head
        var cursor = max(0, head - stretch)
        while cursor < head {
            let page = try await page(source, after: cursor, limit: 64, trial)
            try require(page.head >= head, "the head went back from \(head) to \(page.head)")
            try require(!page.facts.isEmpty, "behind \(cursor) there are no facts, and the head is \(page.head)")
            try require(page.facts.count <= 64, "a page for 64 has \(page.facts.count) facts")
            for fact in page.facts {
                cursor += 1
                try check(fact.bytes, isNumber: cursor, of: Source.service)
            }
        }
        let all = try await FactLog(asker: trial.asker).facts(after: max(0, head - 20))
        for fact in all {
            let alone = try await FactLog(asker: trial.asker).fact(fact.sequence)
            try require(alone == fact, "fact \(fact.sequence) reads otherwise when it is read alone")
        }
        let end = try await page(source, after: head + 1_000_000, limit: 1, trial)
        try require(end.facts.isEmpty, "there are facts behind the end")
    }

    private static func check(_ bytes: [UInt8], isNumber number: Int64, of service: String) throws {
        let envelope: Envelope
        do throws(WireError) { envelope = try Envelope(json: bytes) } catch {
            throw Wrong("fact \(number) is no envelope: \(error)")
        }
        try require(
            envelope.sequence == number,
            "after fact \(number - 1) comes \(envelope.sequence.map(String.init) ?? "one without a number")")
        let digits = try JSONValue(parsing: bytes)["sequence"]
        try require(
            digits == .string(String(repeating: "0", count: 20 - String(number).count) + String(number)),
            "the sequence of fact \(number) has not 20 digits")
        try require(envelope.source == service, "the source of fact \(number) is \(envelope.source)")
        try require(MessageType(envelope.type).service == service, "fact \(number) is of the type \(envelope.type)")
        // Types that the catalogue does not know are passed over by whoever reads them.
        guard let fact = Catalogue.facts.first(where: { $0.type.name == envelope.type }) else { return }
        do throws(WireError) { _ = try fact.init(json: envelope.data) } catch {
            throw Wrong("fact \(number), \(envelope.type), is not as its contract says: \(error)")
        }
    }
}

/// Hears what is published from now on.
private final class Ear: Sendable {
    private let received = Mutex<[[UInt8]]>([])

    init(_ transport: any Transport, to prefix: String) {
        // The reactor keeps its listeners: this one outlives its case by holding nothing but its box.
        transport.subscribe(to: prefix) { [weak self] frames in self?.received.withLock { $0 += frames } }
    }

    var frames: [[UInt8]] { received.withLock { $0 } }

    func await(
        _ otherwise: String, within patience: Duration, _ condition: ([[UInt8]]) -> Bool
    ) async throws {
        let end = ContinuousClock.now + patience
        while !condition(received.withLock { $0 }) {
            guard ContinuousClock.now < end else { throw Wrong("\(otherwise) within \(patience)") }
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}
