/// Why a JSON text is not the message it should be. `path` names the field (`data.amount`), never its value.
@usableFromInline
package struct WireError: Error, Equatable, Sendable {
    package enum Reason: Equatable, Sendable {
        /// Not RFC 8259 JSON; `offset` is the byte at which reading stopped.
        case notJSON(offset: Int)
        /// Not UTF-8 (RFC 3629), or an unpaired surrogate escape.
        case notUTF8
        /// The same key twice in one object. Readers differ in which one wins, so neither does here.
        case duplicateKey
        /// A key with an escape in it: no message has one, and it could hide a duplicate.
        case escapedKey
        case unknownField
        case missingField
        case wrongType(expected: JSONTypeName)
        /// A number with a fraction or an exponent where a whole number is due: money has no fractions of a cent.
        case notAnInteger
        case outOfRange
        case tooDeep
        case invalidValue(why: String)
    }

    package let reason: Reason
    package let path: String

    package init(_ reason: Reason, path: String = "") {
        self.reason = reason
        self.path = path
    }

    /// The same error seen from one level further out.
    @usableFromInline
    package func inside(_ field: String) -> WireError {
        WireError(reason, path: path.isEmpty ? field : "\(field).\(path)")
    }
}

/// A JSON type's name, as told to people.
package enum JSONTypeName: String, Equatable, Sendable {
    case object, array, string, integer, boolean, null
}

extension WireError: CustomStringConvertible {
    /// One sentence for the `detail` of a problem; names the field and never repeats the sender's bytes.
    @usableFromInline
    package var description: String {
        let field = path.isEmpty ? "the message" : "'\(path)'"
        switch reason {
        case .notJSON(let offset): return "not valid JSON at byte \(offset)"
        case .notUTF8: return "\(field) is not valid UTF-8, or has U+0000 or half of a surrogate pair"
        case .duplicateKey: return "\(field) is given twice"
        case .escapedKey: return "a key in \(field) is written with an escape"
        case .unknownField: return "\(field) is not a field of this message"
        case .missingField: return "\(field) is missing"
        case .wrongType(let expected): return "\(field) must be of type \(expected.rawValue)"
        case .notAnInteger: return "\(field) must be a whole number without fraction or exponent"
        case .outOfRange: return "\(field) is out of range"
        case .tooDeep: return "nested deeper than \(JSONReader.depthMax) levels"
        case .invalidValue(let why): return "\(field) \(why)"
        }
    }
}
