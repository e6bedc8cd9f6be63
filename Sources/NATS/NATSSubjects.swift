/// The subjects that Billfold uses (docs/nats.md).
package enum NATSSubjects {
    private static let all = "billfold."
    package static let asks = "billfold.ask."
    package static let answers = "billfold.answer."
    package static let facts = "billfold.fact."
    /// Every worker answers with what it does.
    package static let who = "billfold.who"
    /// In the place of a user's name where there is none.
    package static let anyone = "anyone"

    /// An ask for the service.
    package static func ask(_ service: String) -> String { asks + service }

    /// Under which one connection receives answers: a number follows as the last token.
    ///
    /// - Parameter random: what tells the connection from the user's others. Short, as the server reads it byte by
    ///   byte, twice for each ask.
    package static func inbox(of name: String, _ random: UInt64) -> String {
        let characters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_")
        let own = stride(from: 0, to: 64, by: 6).map { characters[Int(random >> UInt64($0) & 63)] }
        return "\(answers)\(name).\(String(own))."
    }

    /// Whether an answer may be published under this subject, which its asker has named.
    package static func isForAnswers(_ subject: UnsafeRawBufferPointer) -> Bool {
        !subject.starts(with: all.utf8) || subject.starts(with: answers.utf8)
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

    // MARK: Numbers of answers

    /// Hexadecimal digits of a number.
    package static let digitsMax = 16
    private static let digits: StaticString = "0123456789abcdef"

    /// Writes a number as the last token, without zeros before it.
    ///
    /// - Returns: the count of its digits.
    package static func write(_ number: UInt64, to bytes: UnsafeMutableRawBufferPointer) -> Int {
        let count = max(1, (67 - number.leadingZeroBitCount) / 4)
        for place in 0..<count {
            bytes[place] = digits.utf8Start[Int(number >> UInt64(4 * (count - 1 - place)) & 15)]
        }
        return count
    }

    /// The number that is the last token of a subject; nil for anything else.
    package static func number(atEndOf subject: UnsafeRawBufferPointer) -> UInt64? {
        var (value, shift): (UInt64, UInt64) = (0, 0)
        for byte in subject.reversed() {
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "."): return shift > 0 ? value : nil
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            default: return nil
            }
            guard shift < 64 else { return nil }
            value |= UInt64(digit) << shift
            shift += 4
        }
        return nil
    }
}
