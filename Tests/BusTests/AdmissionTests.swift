import Bus
import Contracts
import Primitives
import TestKit
import Testing
import Wire

/// Every ask of the catalogue, asked of a real answerer on behalf of everybody, and with every limited field at its
/// limits.
@Suite("What is answered at all")
struct AdmissionTests {
    /// Answers with the example's reply whatever is asked.
    private struct Stub<Question: Ask>: Answering {
        func answer(_ ask: Question, in context: AskContext) async throws(Fault) -> Question.Reply {
            Question.examples.reply
        }
    }

    private struct Answers<Question: Ask> {
        let transport = MemoryTransport()

        init(_ ask: Question.Type) {
            var builder = Answerer.Builder()
            builder.answer(with: Stub<Question>())
            Answerer(builder, on: Bus(name: Question.type.service, transport: transport))
                .start(service: Question.type.service, credit: 1)
        }

        /// - Returns: the code of the refusal; nil where the ask was answered.
        func refusal(of data: [UInt8], for actor: Actor?) async throws -> FaultCode? {
            try await fault(of: data, for: actor)?.code
        }

        func fault(of data: [UInt8], for actor: Actor?) async throws -> Fault? {
            let ask = Envelope(id: "ask-1", source: "till", type: Question.type.name, actor: actor, data: data)
            guard case .envelope(let bytes) = await transport.deliver(ask.json) else { throw Fault(.noWorker) }
            let answer = try Envelope(json: bytes)
            return answer.type == Question.type.fault ? try Fault(json: answer.data) : nil
        }
    }

    private static let types = Catalogue.asks.map { $0.type.name }
    private static let stranger = PartyID(high: 0xFFFF, low: 1)

    // MARK: Access

    @Test("answers whom the document names as actors, and services", arguments: types)
    func actors(type: String) async throws {
        func ask<A: Ask>(_ ask: A.Type) async throws {
            let answers = Answers(A.self)
            let fields = Dictionary(uniqueKeysWithValues: A.actors.map { ($0.role, $0.field) })
            for example in [A.examples.bare, A.examples.ask].compactMap(\.self) {
                let data = try JSONValue(parsing: example.json)
                #expect(try await answers.refusal(of: example.json, for: nil) == nil, "\(type) for nobody")
                for role in Auth.Role.allCases {
                    let named = fields[role].map { data.parties($0) } ?? []
                    for party in Set(named + [Self.stranger]) {
                        let refusal = try await answers.refusal(of: example.json, for: Actor(role: role, party: party))
                        let isAllowed = Self.isAllowed(fields[role], named, role, party, data)
                        #expect((refusal == nil) == isAllowed, "\(type) for \(role) \(party)")
                        if !isAllowed { #expect(refusal == .forbidden, "\(type) for \(role)") }
                    }
                }
            }
        }
        guard let known = Catalogue.ask(type) else { throw Fault(.unknownType) }
        try await ask(known)
    }

    /// As the document says it: by the field that has to name the actor.
    private static func isAllowed(
        _ field: String?, _ named: [PartyID], _ role: Auth.Role, _ party: PartyID, _ data: JSONValue
    ) -> Bool {
        guard let field else { return false }
        // A registration may say only for services whether it is approved, and make administrators.
        if data["approved"] == true, data["username"] != nil { return false }
        guard field != "*" else { return true }
        // Nobody is named by an empty list, and nothing is asked for.
        if let list = field.split(separator: ".").first, data[String(list)] == .array([]) { return true }
        // Money is held in a role.
        if let holder = field.split(separator: ".").first, field.hasSuffix(".party"),
            data[String(holder)]?["role"] != .string(role.rawValue)
        {
            return false
        }
        // Where nobody has to be named, an administrator may name nobody.
        if named.isEmpty { return data[field] == nil ? role == .administrator : true }
        return named.allSatisfy { $0 == party }
    }

    @Test("only services make administrators and approve of merchants; only merchants have web hooks")
    func refused() async throws {
        let registration = Answers(Auth.RegisterAccount.self)
        for role in Auth.Role.allCases {
            let administrator = Auth.RegisterAccount(
                account: Self.stranger, role: .administrator, username: "root", password: "correct horse")
            let actor = Actor(role: role, party: Self.stranger)
            #expect(try await registration.refusal(of: administrator.json, for: actor) == .forbidden)
            #expect(try await registration.refusal(of: administrator.json, for: nil) == nil)
        }
        let hook = Notifications.AddEndpoint(
            endpoint: Samples.endpoint, account: Self.stranger, type: 4, address: "https://example.com/hook")
        let endpoints = Answers(Notifications.AddEndpoint.self)
        let customer = Actor(role: .customer, party: Self.stranger)
        #expect(try await endpoints.refusal(of: hook.json, for: customer) == .forbidden)
        let merchant = Actor(role: .merchant, party: Self.stranger)
        #expect(try await endpoints.refusal(of: hook.json, for: merchant) == nil)
    }

    @Test("looks at the actor before the limits, and at the form before both")
    func order() async throws {
        let answers = Answers(Wallet.ReloadCard.self)
        let nothing = Wallet.ReloadCard(
            operation: Samples.operation, customer: Samples.customer, card: nil, amount: Money(0))
        let stranger = Actor(role: .customer, party: Self.stranger)
        #expect(try await answers.refusal(of: nothing.json, for: stranger) == .forbidden)
        #expect(try await answers.refusal(of: nothing.json, for: nil) == .amountInvalid)
        #expect(try await answers.refusal(of: Array("{}".utf8), for: stranger) == .malformed)
    }

    // MARK: Limits

    @Test(
        "takes what is just inside a limit; what is beyond gets the limit's code and names the field", arguments: types)
    func limits(type: String) async throws {
        func ask<A: Ask>(_ ask: A.Type) async throws {
            let answers = Answers(A.self)
            let example = try JSONValue(parsing: A.examples.ask.json)
            for limited in LimitedField.all(of: A.self) {
                let place = "\(type) \(limited.path.joined(separator: "."))"
                for value in limited.inside(example) {
                    let data = Array(example.setting(limited.path[...], value).text.utf8)
                    #expect(try await answers.refusal(of: data, for: nil) == nil, "\(place): \(value.text.prefix(40))")
                }
                for value in limited.outside(example) {
                    let data = Array(example.setting(limited.path[...], value).text.utf8)
                    let refusal = try await answers.fault(of: data, for: nil)
                    #expect(refusal?.code == limited.code, "\(place): \(value.text.prefix(40))")
                    let field = try #require(limited.path.last)
                    #expect(refusal?.detail == "'\(field)' \(limited.constraint)", "\(place)")
                }
            }
        }
        guard let known = Catalogue.ask(type) else { throw Fault(.unknownType) }
        try await ask(known)
    }

    @Test("a refusal that a limit gives is one of its ask's own, or of the bus")
    func codes() {
        var count = 0
        func check<A: Ask>(_ ask: A.Type) {
            for limited in LimitedField.all(of: A.self) {
                let codes = A.faults + FaultCode.common
                #expect(codes.contains(limited.code), "\(A.type): \(limited.code)")
                count += 1
            }
        }
        for ask in Catalogue.asks { check(ask) }
        #expect(count > 50)
    }
}

/// A field of an ask, or of a part of one, with a limit that is enforced.
private struct LimitedField {
    let path: [String]
    let constraint: Constraint
    let code: FaultCode

    static func all(of shape: any Shape.Type, under path: [String] = []) -> [LimitedField] {
        func all<Described: Shape>(_ shape: Described.Type) -> [LimitedField] {
            let own = Described.limits.compactMap { limit in
                limit.code.map {
                    LimitedField(
                        path: path + [Described.name(of: limit.field)], constraint: limit.constraint, code: $0)
                }
            }
            return own
                + Described.fields.flatMap { field -> [LimitedField] in
                    guard let inner = innermost(Swift.type(of: field.path).valueType) else { return [] }
                    return LimitedField.all(of: inner, under: path + [field.name])
                }
        }
        return all(shape)
    }

    private static func innermost(_ type: any Any.Type) -> (any Shape.Type)? {
        if let holding = type as? any Holding.Type { return innermost(holding.held) }
        return type as? any Shape.Type
    }

    func inside(_ example: JSONValue) -> [JSONValue] {
        switch constraint {
        case .text(let counts), .scalars(let counts): [text(counts.lowerBound), text(counts.upperBound)]
        case .characters(_, let counts):
            [digits(counts.lowerBound), digits(counts.upperBound)]
        case .number(let range): [.integer(range.lowerBound), .integer(range.upperBound)]
        case .count(let counts): [counts.lowerBound, counts.upperBound].compactMap { list($0, example) }
        case .amount: [money(1), money(.max)]
        case .latitude: [.integer(-90_000_000), .integer(90_000_000)]
        case .longitude: [.integer(-180_000_000), .integer(180_000_000)]
        case .choice(let names): names.map(JSONValue.string)
        case .none, .shape: []
        }
    }

    func outside(_ example: JSONValue) -> [JSONValue] {
        switch constraint {
        case .text(let counts), .scalars(let counts):
            (counts.lowerBound > 0 ? [text(counts.lowerBound - 1)] : []) + [text(counts.upperBound + 1)]
        case .characters(_, let counts):
            [
                digits(counts.lowerBound - 1), digits(counts.upperBound + 1),
                .string(String(repeating: "/", count: counts.lowerBound))
            ]
        case .number(let range):
            (range.lowerBound > .min ? [.integer(range.lowerBound - 1)] : [])
                + (range.upperBound < .max ? [.integer(range.upperBound + 1)] : [])
        case .count(let counts):
            ((counts.lowerBound > 0 ? [counts.lowerBound - 1] : []) + [counts.upperBound + 1])
                .compactMap { list($0, example) }
        case .amount: [money(0), money(-1)]
        case .latitude: [.integer(-90_000_001), .integer(90_000_001)]
        case .longitude: [.integer(-180_000_001), .integer(180_000_001)]
        case .choice(let names):
            PrintedTable.allCases.map(\.rawValue).filter { !names.contains($0) }.map(JSONValue.string)
        case .none, .shape: []
        }
    }

    /// So many characters: of two bytes where characters are counted.
    private func text(_ count: Int) -> JSONValue {
        if case .scalars = constraint { return .string(String(repeating: "é", count: count)) }
        return .string(String(repeating: "x", count: count))
    }

    private func digits(_ count: Int) -> JSONValue { .string(String(repeating: "7", count: count)) }

    private func money(_ amount: Int64) -> JSONValue { ["amount": .integer(amount), "currency": "USD"] }

    /// The example's first element so often.
    private func list(_ count: Int, _ example: JSONValue) -> JSONValue? {
        guard case .array(let elements)? = path.reduce(Optional(example), { $0?[$1] }), let first = elements.first
        else { return nil }
        return .array(Array(repeating: first, count: count))
    }
}

/// What may hold a shape: an optional, a list.
private protocol Holding {
    static var held: any Any.Type { get }
}

extension Optional: Holding {
    fileprivate static var held: any Any.Type { Wrapped.self }
}

extension Array: Holding {
    fileprivate static var held: any Any.Type { Element.self }
}

extension JSONValue {
    /// The same with another value at a path; in a list, in its first element.
    fileprivate func setting(_ path: ArraySlice<String>, _ value: JSONValue) -> JSONValue {
        guard let key = path.first else { return value }
        switch self {
        case .object(let members):
            let known = members.first { $0.key == key }?.value ?? [:]
            return .object(
                members.filter { $0.key != key } + [.init(key, known.setting(path.dropFirst(), value))])
        case .array(let elements):
            guard let first = elements.first else { return self }
            return .array([first.setting(path, value)] + elements.dropFirst())
        default: return self
        }
    }

    /// The accounts that a field names, in each element of a list.
    fileprivate func parties(_ field: String) -> [PartyID] {
        field.split(separator: ".").reduce([self]) { values, key in
            values.flatMap { value -> [JSONValue] in
                guard let inner = value[String(key)] else { return [] }
                if case .array(let elements) = inner { return elements }
                return [inner]
            }
        }.compactMap { if case .string(let text) = $0 { PartyID(text) } else { nil } }
    }
}
