/// The subjects that Billfold uses (docs/nats.md).
package enum NATSSubjects {
    package static let asks = "billfold.ask."
    package static let answers = "billfold.answer."
    package static let facts = "billfold.fact."
    /// Every worker answers with what it does.
    package static let who = "billfold.who"
    /// In the place of a user's name where there is none.
    package static let anyone = "anyone"

    /// An ask for the service; also the trials of `try.` and its name.
    package static func ask(_ service: String) -> String { asks + service }

    /// Under which one connection receives answers: the tag follows as the last token.
    package static func inbox(of name: String, _ random: UInt64) -> String {
        "\(answers)\(name).\(hex(random))."
    }

    /// A fact of this type.
    package static func fact(_ type: String) -> String { facts + type }

    /// What to subscribe to for all facts whose topic begins with `prefix`. NATS matches whole tokens: what it gives
    /// beyond the prefix is to be passed over.
    ///
    /// - Parameter prefix: of a topic, which is a type and a zero byte.
    package static func facts(beginningWith prefix: String) -> String {
        if let end = prefix.firstIndex(of: "\0") { return fact(String(prefix[..<end])) }
        let whole = prefix.lastIndex(of: ".").map { prefix[...$0] } ?? ""
        return facts + whole + ">"
    }

    /// A text as one token of a subject: what may not be in one becomes `_`.
    package static func token(_ text: String) -> String {
        let token = String(
            text.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") ? $0 : "_" })
        return token.isEmpty ? anyone : token
    }

    /// Sixteen digits.
    package static func hex(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// The value of the sixteen digits at the end of a subject; nil for anything else.
    package static func tag(atEndOf subject: UnsafeRawBufferPointer) -> UInt64? {
        guard subject.count > 16 else { return nil }
        var value: UInt64 = 0
        for byte in subject[(subject.count - 16)...] {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt64(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt64(byte - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
        return value
    }
}
