import Primitives

/// The values that a field may have beyond its type, and the refusal of all others. The refusal names the field and
/// what is allowed. An absent field breaks no limit.
@usableFromInline
package struct Limit<Owner: Sendable>: Sendable {
    package let field: AnyPath<Owner>
    package let constraint: Constraint
    package let example: Example?
    /// The refusal; nil where the limit is only documented here, as settings or the handler decide.
    package let code: FaultCode?
    private let refusal: @Sendable (Owner) -> Fault?

    package func check(_ owner: Owner) throws(Fault) {
        if let fault = refusal(owner) { throw fault }
    }

    fileprivate init<Value>(
        _ field: any KeyPath<Owner, Value> & Sendable, _ constraint: Constraint, _ code: FaultCode?,
        _ example: Example?,
        _ holds: @escaping @Sendable (Value) -> Bool
    ) where Owner: Shape {
        self.field = field
        self.constraint = constraint
        self.example = example
        self.code = code
        guard let code else {
            refusal = { _ in nil }
            return
        }
        refusal = { owner in
            holds(owner[keyPath: field]) ? nil : Fault(code, "'\(Owner.name(of: field))' \(constraint)")
        }
    }

    fileprivate init<Value>(
        part field: any KeyPath<Owner, Value> & Sendable, _ refusal: @escaping @Sendable (Value) -> Fault?
    ) {
        self.field = field
        constraint = .shape
        example = nil
        code = nil
        self.refusal = { refusal($0[keyPath: field]) }
    }
}

package enum Constraint: Equatable, Sendable {
    /// Bytes of UTF-8.
    case text(ClosedRange<Int>)
    /// Unicode scalars.
    case scalars(ClosedRange<Int>)
    /// So many characters of an alphabet.
    case characters(Alphabet, ClosedRange<Int>)
    case number(ClosedRange<Int64>)
    /// Elements of a list.
    case count(ClosedRange<Int>)
    /// Money that is moved: more than nothing.
    case amount
    /// Millionths of a degree.
    case latitude
    case longitude
    /// Some of the cases of the field's type.
    case choice([String])
    /// No limit, only an example.
    case none
    /// The limits of the field's own type.
    case shape
}

package enum Example: Equatable, Sendable {
    case text(String)
    case number(Int64)
}

/// Characters of ASCII that a text may have, as in a regular expression's brackets.
package enum Alphabet: String, Sendable {
    case digits = "0-9"
    case hexDigits = "0-9a-f"
    case username = "A-Za-z0-9._@+-"

    package func contains(_ byte: UInt8) -> Bool {
        switch (self, byte) {
        case (_, UInt8(ascii: "0")...UInt8(ascii: "9")): true
        case (.digits, _): false
        case (.hexDigits, _): (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
        case (.username, UInt8(ascii: "a")...UInt8(ascii: "z")), (.username, UInt8(ascii: "A")...UInt8(ascii: "Z")):
            true
        case (.username, _): "._@+-".utf8.contains(byte)
        }
    }
}

extension Constraint: CustomStringConvertible {
    /// What is allowed, as the end of a sentence that begins with the field's name.
    package var description: String {
        switch self {
        case .text(let bytes): "must have \(Self.words(bytes)) bytes"
        case .scalars(let counts): "must have \(Self.words(counts)) characters"
        case .characters(let alphabet, let counts):
            "must have \(Self.words(counts)) characters of \(alphabet.rawValue)"
        case .number(let range) where range.upperBound == .max: "must be \(range.lowerBound) or more"
        case .number(let range): "must be \(Self.words(range))"
        case .count(let counts): "must have \(Self.words(counts)) elements"
        case .amount: "must be more than 0"
        case .latitude: "must be -90000000 to 90000000, in millionths of a degree"
        case .longitude: "must be -180000000 to 180000000, in millionths of a degree"
        case .choice(let names): "must be one of \(names.joined(separator: ", "))"
        case .none, .shape: "is not valid"
        }
    }

    private static func words(_ range: ClosedRange<some FixedWidthInteger>) -> String {
        range.lowerBound == range.upperBound ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
    }
}

// MARK: What a declaration says

extension Limit where Owner: Shape {
    /// A text's length in bytes of UTF-8.
    package static func text(
        _ field: any KeyPath<Owner, String> & Sendable, _ bytes: ClosedRange<Int>, or code: FaultCode?,
        example: String? = nil
    ) -> Limit {
        Limit(field, .text(bytes), code, example.map(Example.text)) { bytes.contains($0.utf8.count) }
    }

    package static func text(
        _ field: any KeyPath<Owner, String?> & Sendable, _ bytes: ClosedRange<Int>, or code: FaultCode?,
        example: String? = nil
    ) -> Limit {
        Limit(field, .text(bytes), code, example.map(Example.text)) { $0.map { bytes.contains($0.utf8.count) } ?? true }
    }

    /// A text's length in Unicode scalars.
    package static func text(
        _ field: Path<Owner, String>, characters: ClosedRange<Int>, or code: FaultCode?, example: String? = nil
    ) -> Limit {
        Limit(field, .scalars(characters), code, example.map(Example.text)) {
            characters.contains($0.unicodeScalars.count)
        }
    }

    package static func text(
        _ field: Path<Owner, String?>, characters: ClosedRange<Int>, or code: FaultCode?, example: String? = nil
    ) -> Limit {
        Limit(field, .scalars(characters), code, example.map(Example.text)) {
            $0.map { characters.contains($0.unicodeScalars.count) } ?? true
        }
    }

    /// A text of so many characters of an alphabet.
    package static func text(
        _ field: any KeyPath<Owner, String> & Sendable, of alphabet: Alphabet, _ count: ClosedRange<Int>,
        or code: FaultCode?, example: String? = nil
    ) -> Limit {
        Limit(field, .characters(alphabet, count), code, example.map(Example.text)) {
            count.contains($0.utf8.count) && $0.utf8.allSatisfy(alphabet.contains)
        }
    }

    package static func text(
        _ field: any KeyPath<Owner, String?> & Sendable, of alphabet: Alphabet, _ count: ClosedRange<Int>,
        or code: FaultCode?, example: String? = nil
    ) -> Limit {
        Limit(field, .characters(alphabet, count), code, example.map(Example.text)) {
            $0.map { count.contains($0.utf8.count) && $0.utf8.allSatisfy(alphabet.contains) } ?? true
        }
    }

    package static func number(
        _ field: any KeyPath<Owner, Int64> & Sendable, _ range: ClosedRange<Int64>, or code: FaultCode? = .malformed,
        example: Int64? = nil
    ) -> Limit {
        Limit(field, .number(range), code, example.map(Example.number)) { range.contains($0) }
    }

    package static func number(
        _ field: any KeyPath<Owner, Int> & Sendable, _ range: ClosedRange<Int64>, or code: FaultCode? = .malformed,
        example: Int64? = nil
    ) -> Limit {
        Limit(field, .number(range), code, example.map(Example.number)) { range.contains(Int64($0)) }
    }

    package static func number(
        _ field: any KeyPath<Owner, Int64?> & Sendable, _ range: ClosedRange<Int64>, or code: FaultCode? = .malformed,
        example: Int64? = nil
    ) -> Limit {
        Limit(field, .number(range), code, example.map(Example.number)) { $0.map(range.contains) ?? true }
    }

    package static func number(
        _ field: Path<Owner, Int?>, _ range: ClosedRange<Int64>, or code: FaultCode? = .malformed,
        example: Int64? = nil
    ) -> Limit {
        Limit(field, .number(range), code, example.map(Example.number)) {
            $0.map { range.contains(Int64($0)) } ?? true
        }
    }

    package static func count<Element>(
        _ field: Path<Owner, [Element]>, _ range: ClosedRange<Int>, or code: FaultCode?
    ) -> Limit {
        Limit(field, .count(range), code, nil) { range.contains($0.count) }
    }

    package static func count<Element>(
        _ field: Path<Owner, [Element]?>, _ range: ClosedRange<Int>, or code: FaultCode?
    ) -> Limit {
        Limit(field, .count(range), code, nil) { $0.map { range.contains($0.count) } ?? true }
    }

    /// Money that is moved: more than nothing.
    package static func amount(
        _ field: any KeyPath<Owner, Money> & Sendable, or code: FaultCode? = .amountInvalid
    ) -> Limit {
        Limit(field, .amount, code, nil) { $0.amount > 0 }
    }

    package static func amount(
        _ field: any KeyPath<Owner, Money?> & Sendable, or code: FaultCode? = .amountInvalid
    ) -> Limit {
        Limit(field, .amount, code, nil) { $0.map { $0.amount > 0 } ?? true }
    }

    package static func latitude(
        _ field: any KeyPath<Owner, Int64> & Sendable, or code: FaultCode?, example: Int64? = nil
    ) -> Limit {
        Limit(field, .latitude, code, example.map(Example.number)) { Self.latitudes.contains($0) }
    }

    package static func latitude(
        _ field: any KeyPath<Owner, Int64?> & Sendable, or code: FaultCode?, example: Int64? = nil
    ) -> Limit {
        Limit(field, .latitude, code, example.map(Example.number)) { $0.map(Self.latitudes.contains) ?? true }
    }

    package static func longitude(
        _ field: any KeyPath<Owner, Int64> & Sendable, or code: FaultCode?, example: Int64? = nil
    ) -> Limit {
        Limit(field, .longitude, code, example.map(Example.number)) { Self.longitudes.contains($0) }
    }

    package static func longitude(
        _ field: any KeyPath<Owner, Int64?> & Sendable, or code: FaultCode?, example: Int64? = nil
    ) -> Limit {
        Limit(field, .longitude, code, example.map(Example.number)) { $0.map(Self.longitudes.contains) ?? true }
    }

    private static var latitudes: ClosedRange<Int64> { -90_000_000...90_000_000 }
    private static var longitudes: ClosedRange<Int64> { -180_000_000...180_000_000 }

    /// Some of a choice's cases.
    package static func choice<Case: RawRepresentable<String> & Equatable & Sendable>(
        _ field: any KeyPath<Owner, Case> & Sendable, _ cases: [Case], or code: FaultCode? = .malformed
    ) -> Limit {
        Limit(field, .choice(cases.map(\.rawValue)), code, cases.first.map { .text($0.rawValue) }) {
            cases.contains($0)
        }
    }

    /// No limit: only what a document shows.
    package static func example(_ field: AnyPath<Owner>, _ example: Example) -> Limit {
        Limit(documenting: field, example)
    }

    private init(documenting field: AnyPath<Owner>, _ example: Example) {
        self.field = field
        constraint = .none
        self.example = example
        code = nil
        refusal = { _ in nil }
    }

    // MARK: What is written by deploy/contracts

    package static func within<Part: Shape>(_ field: any KeyPath<Owner, Part> & Sendable) -> Limit {
        Limit(part: field) { $0.breach }
    }

    package static func within<Part: Shape>(_ field: any KeyPath<Owner, Part?> & Sendable) -> Limit {
        Limit(part: field) { $0?.breach }
    }

    package static func each<Part: Shape>(_ field: any KeyPath<Owner, [Part]> & Sendable) -> Limit {
        Limit(part: field) { parts in
            for part in parts { if let breach = part.breach { return breach } }
            return nil
        }
    }
}

extension Shape {
    fileprivate var breach: Fault? {
        do throws(Fault) {
            try check()
            return nil
        } catch {
            return error
        }
    }
}
