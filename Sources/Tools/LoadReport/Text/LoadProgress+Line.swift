import TerminalText

extension LoadProgress.Phase {
    package var words: String {
        switch self {
        case .preparing: "preparing"
        case .warmUp: "warm-up"
        case .measuring: "measuring"
        case .settling: "settling"
        case .checking: "checking the money"
        }
    }

    fileprivate var hasLoad: Bool { self == .warmUp || self == .measuring || self == .settling }
}

extension LoadProgress {
    /// How much of the phase is done, 0 to 1; nil when not known.
    package var done: Double? {
        let done = fraction ?? totalSeconds.flatMap { $0 > 0 ? elapsedSeconds / $0 : nil }
        return done.flatMap { $0.isFinite ? min(max($0, 0), 1) : nil }
    }

    /// nil when not known.
    package var secondsLeft: Double? {
        if let totalSeconds { return max(0, totalSeconds - elapsedSeconds) }
        guard let fraction, fraction > 0.02 else { return nil }
        return max(0, elapsedSeconds / fraction - elapsedSeconds)
    }

    /// The status for a terminal of so many columns, to be drawn over the one before. What does not fit is left away,
    /// the least important first.
    package func line(columns: Int, colour: Bool) -> String {
        let paint = Paint(isOn: colour)
        var parts: [Part] = [Part(phase.words, 0, paint.strong)]
        if let done {
            parts.append(Part(Self.bar(done, cells: 20), 5, paint.good))
            parts.append(Part("\(Shown.fixed((done * 100).rounded(.down), 0)) %", 1))
        }
        if let secondsLeft { parts.append(Part("\(Self.clock(secondsLeft)) left", 3)) }
        if done == nil, secondsLeft == nil { parts.append(Part(Self.clock(elapsedSeconds), 3)) }
        if phase.hasLoad {
            parts.append(Part(Shown.rate(okPerSecond), 1))
            parts.append(Part("p50 \(Shown.latency(micros: p50Micros))", 4))
            parts.append(Part("p99 \(Shown.latency(micros: p99Micros))", 2))
            let loud: ((String) -> String)? = errors > 0 ? { paint.bad($0) } : nil
            parts.append(Part(Self.counted(errors, "error"), 2, loud))
            if refused > 0 { parts.append(Part("\(Shown.count(refused)) refused", 6)) }
            parts.append(Part("\(Shown.count(inFlight)) in flight", 7))
        }
        if let note { parts.append(Part(note.printable, 4, paint.waiting)) }
        while parts.count > 1, Self.width(parts) > columns,
            let least = parts.indices.max(by: { parts[$0].rank < parts[$1].rank })
        {
            parts.remove(at: least)
        }
        return parts.map(\.painted).joined(separator: "  ")
    }

    /// `line`, with what a terminal needs to draw it over the one before.
    package func redrawn(columns: Int, colour: Bool) -> String { "\r\(line(columns: columns, colour: colour))\u{1B}[K" }

    private struct Part {
        let text: String
        /// 0 stays; the highest goes first.
        let rank: Int
        let painted: String

        init(_ text: String, _ rank: Int, _ paint: ((String) -> String)? = nil) {
            self.text = text
            self.rank = rank
            painted = paint?(text) ?? text
        }
    }

    private static func width(_ parts: [Part]) -> Int {
        parts.reduce(0) { $0 + $1.text.count } + 2 * (parts.count - 1)
    }

    private static func bar(_ done: Double, cells: Int) -> String {
        let full = Int(done * Double(cells))
        return "[" + String(repeating: "#", count: full) + String(repeating: "·", count: cells - full) + "]"
    }

    /// `0:07`, `12:30`, `1:00:00`: the same width from one second to the next.
    private static func clock(_ seconds: Double) -> String {
        let whole = Int(min(max(seconds.isFinite ? seconds : 0, 0), 1e9).rounded())
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
        return hours > 0 ? "\(hours):\(two(minutes)):\(two(rest))" : "\(minutes):\(two(rest))"
    }

    private static func counted(_ number: Int, _ word: String) -> String {
        "\(Shown.count(number)) \(word)\(number == 1 ? "" : "s")"
    }
}
