import Glibc

/// What a server says; texts and messages are views into what was read.
package enum NATSOperation {
    case info(UnsafeRawBufferPointer)
    case message(NATSMessage)
    case ping
    case pong
    case ok
    /// In the server's words, without their quotes.
    case error(UnsafeRawBufferPointer)
}

/// Reads a server's half of NATS's client protocol (docs.nats.io, "Client Protocol") from bytes as they come.
package struct NATSParser {
    /// A line, but for INFO, which may name many servers.
    package static let lineBytesMax = 4 << 10
    package static let infoBytesMax = 64 << 10
    /// Headers and body: what a nats-server can be set to let pass.
    package static let messageBytesMax = 64 << 20

    /// Bytes without which there is nothing new to see: those of a message whose line has come.
    private var needed = 1

    package init() {}

    /// - Parameter bytes: all that has come and was not yet taken.
    /// - Returns: the first operation and its length; nil until it is whole.
    package mutating func next(
        _ bytes: UnsafeRawBufferPointer
    ) throws(NATSFault) -> (operation: NATSOperation, count: Int)? {
        guard bytes.count >= needed, let start = bytes.baseAddress else { return nil }
        let isInfo = bytes[0] | 0x20 == UInt8(ascii: "i")
        let lineMax = isInfo ? Self.infoBytesMax : Self.lineBytesMax
        guard let end = memchr(start, 10, min(bytes.count, lineMax)) else {
            if bytes.count >= lineMax { throw Self.broken("a line is too long") }
            return nil
        }
        let lineCount = UnsafeRawPointer(end) - start
        let text = UnsafeRawBufferPointer(start: start, count: lineCount)
        var words = Words(rest: text.last == 13 ? UnsafeRawBufferPointer(rebasing: text.dropLast()) : text)
        guard let verb = words.next() else { throw Self.broken("a line is empty") }
        let hasHeaders = verb.count == 4 && verb[0] | 0x20 == UInt8(ascii: "h")
        if Self.is(verb, hasHeaders ? "hmsg" : "msg") {
            return try message(bytes, from: lineCount + 1, &words, hasHeaders: hasHeaders)
        }
        return (try Self.short(verb, words.trimmed), lineCount + 1)
    }

    private static func short(
        _ verb: UnsafeRawBufferPointer, _ rest: UnsafeRawBufferPointer
    ) throws(NATSFault) -> NATSOperation {
        if Self.is(verb, "ping") { return .ping }
        if Self.is(verb, "pong") { return .pong }
        if Self.is(verb, "+ok") { return .ok }
        if Self.is(verb, "info") { return .info(rest) }
        guard Self.is(verb, "-err") else { throw broken("it says what no server says") }
        let isQuoted = rest.count >= 2 && rest.first == UInt8(ascii: "'") && rest.last == UInt8(ascii: "'")
        return .error(isQuoted ? UnsafeRawBufferPointer(rebasing: rest.dropFirst().dropLast()) : rest)
    }

    /// `MSG subject sid [reply] size`, or `HMSG subject sid [reply] headers size`, and the bytes behind the line.
    private mutating func message(
        _ bytes: UnsafeRawBufferPointer, from start: Int, _ words: inout Words, hasHeaders: Bool
    ) throws(NATSFault) -> (operation: NATSOperation, count: Int)? {
        guard let subject = words.next(), let id = words.number(), var first = words.next() else {
            throw Self.broken("a message has no subject, number or size")
        }
        var (reply, second, third): (UnsafeRawBufferPointer?, UnsafeRawBufferPointer?, UnsafeRawBufferPointer?)
        (second, third) = (words.next(), words.next())
        if (hasHeaders ? third : second) != nil {
            (reply, first, second, third) = (first, second!, third, words.next())
        }
        let size = hasHeaders ? second : first
        guard (hasHeaders ? third : second) == nil, let size = size.flatMap(Words.number),
            let headers = hasHeaders ? Words.number(first) : 0, headers <= size, size <= Self.messageBytesMax
        else { throw Self.broken("a message's sizes are none") }
        let end = start + size
        guard bytes.count >= end + 2 else {
            needed = end + 2
            return nil
        }
        needed = 1
        guard bytes[end] == 13, bytes[end + 1] == 10 else { throw Self.broken("a message has no end") }
        let body = UnsafeRawBufferPointer(rebasing: bytes[(start + headers)..<end])
        let says = UnsafeRawBufferPointer(rebasing: bytes[start..<(start + headers)])
        return (
            .message(
                NATSMessage(
                    subscription: NATSSubscription(id: id), subject: subject, replySubject: reply, body: body,
                    saysNobody: headers > 0 && body.isEmpty && says.starts(with: "NATS/1.0 503".utf8))),
            end + 2
        )
    }

    /// - Parameter name: in small letters.
    private static func `is`(_ word: UnsafeRawBufferPointer, _ name: StaticString) -> Bool {
        guard word.count == name.utf8CodeUnitCount else { return false }
        for index in 0..<word.count where word[index] | 0x20 != name.utf8Start[index] { return false }
        return true
    }

    private static func broken(_ what: String) -> NATSFault { .lost("the server breaks NATS's protocol: \(what)") }
}

/// The words of a line, between spaces and tabs.
private struct Words {
    var rest: UnsafeRawBufferPointer

    /// Nil at the end of the line.
    mutating func next() -> UnsafeRawBufferPointer? {
        var start = 0
        while start < rest.count, Self.isBlank(rest[start]) { start += 1 }
        var end = start
        while end < rest.count, !Self.isBlank(rest[end]) { end += 1 }
        guard end > start else { return nil }
        defer { rest = UnsafeRawBufferPointer(rebasing: rest[end...]) }
        return UnsafeRawBufferPointer(rebasing: rest[start..<end])
    }

    mutating func number() -> Int? { next().flatMap(Self.number) }

    /// What is left, without blanks around it.
    var trimmed: UnsafeRawBufferPointer {
        var (start, end) = (0, rest.count)
        while start < end, Self.isBlank(rest[start]) { start += 1 }
        while end > start, Self.isBlank(rest[end - 1]) { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: rest[start..<end])
    }

    /// Reads a number of sixteen decimal digits at most.
    static func number(_ word: UnsafeRawBufferPointer) -> Int? {
        guard (1...16).contains(word.count) else { return nil }
        var value = 0
        for byte in word {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return value
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }
}
