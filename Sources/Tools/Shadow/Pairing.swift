import Primitives

/// Brings together the two answers to one ask: the live one, of which there is a copy, and the candidate's.
package struct Pairing: Sendable {
    /// An ask that waits for one of its answers.
    private struct Open: Sendable {
        let type: String
        let ask: [UInt8]
        let askedMicroseconds: UInt64
        var live: Timed?
        var shadow: Timed?
    }

    /// An answer and how long it took.
    package struct Timed: Sendable {
        package let answer: ComparedAnswer?
        package let microseconds: Int64

        /// - Parameter answer: nil for what cannot be read.
        package init(answer: ComparedAnswer?, microseconds: Int64) {
            self.answer = answer
            self.microseconds = microseconds
        }
    }

    package struct Pair: Sendable {
        package let type: String
        /// The ask's envelope.
        package let ask: [UInt8]
        package let askedMicroseconds: UInt64
        package let live: Timed
        package let shadow: Timed

        package init(type: String, ask: [UInt8] = [], askedMicroseconds: UInt64 = 0, live: Timed, shadow: Timed) {
            self.type = type
            self.ask = ask
            self.askedMicroseconds = askedMicroseconds
            self.live = live
            self.shadow = shadow
        }
    }

    /// Asks open at once; beyond, copies are passed over, and counted.
    package static let openMax = 16_384
    /// An ask whose answer has not come for so long has lost it.
    package static let lostAfterMicroseconds: UInt64 = 60_000_000

    private var open: [UInt64: Open] = [:]
    /// Copies of asks for which there was no room.
    package private(set) var passedOver = 0
    /// Asks of which one answer never came.
    package private(set) var lost = 0

    package init() {}

    package var count: Int { open.count }

    /// - Returns: whether the ask is to be given to the candidate too.
    package mutating func ask(_ number: UInt64, type: String, _ ask: [UInt8] = [], at microseconds: UInt64) -> Bool {
        if open.count >= Self.openMax { forgetLost(at: microseconds) }
        guard open.count < Self.openMax else {
            passedOver += 1
            return false
        }
        open[number] = Open(type: type, ask: ask, askedMicroseconds: microseconds)
        return true
    }

    /// - Returns: the pair, when the candidate has answered too.
    package mutating func live(_ number: UInt64, _ answer: ComparedAnswer?, at microseconds: UInt64) -> Pair? {
        guard let asked = open[number]?.askedMicroseconds else { return nil }
        let time = Int64(clamping: microseconds) - Int64(clamping: asked)
        open[number]?.live = Timed(answer: answer, microseconds: max(0, time))
        return close(number)
    }

    /// - Returns: the pair, when the live answer is there too.
    package mutating func shadow(_ number: UInt64, _ answer: Timed) -> Pair? {
        open[number]?.shadow = answer
        return close(number)
    }

    /// The live answer to an ask that the candidate has not answered yet, and when it was given; nil until it comes.
    package func liveAnswer(to number: UInt64) -> (answer: ComparedAnswer?, time: Timestamp)? {
        guard let ask = open[number], let live = ask.live else { return nil }
        let microseconds = Int64(clamping: ask.askedMicroseconds) + live.microseconds
        return (live.answer, Timestamp(milliseconds: microseconds / 1_000))
    }

    /// Whether the live answer to an ask has come, or is waited for no more.
    package func isAnswered(_ number: UInt64) -> Bool { open[number].map { $0.live != nil } ?? true }

    private mutating func close(_ number: UInt64) -> Pair? {
        guard let ask = open[number], let live = ask.live, let shadow = ask.shadow else { return nil }
        open[number] = nil
        return Pair(
            type: ask.type, ask: ask.ask, askedMicroseconds: ask.askedMicroseconds, live: live, shadow: shadow)
    }

    private mutating func forgetLost(at microseconds: UInt64) {
        for (number, ask) in open where ask.askedMicroseconds + Self.lostAfterMicroseconds < microseconds {
            open[number] = nil
            lost += 1
        }
    }
}
