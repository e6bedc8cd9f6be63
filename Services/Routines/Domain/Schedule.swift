import Contracts

/// Places routines into a day around its appointments.
///
/// Routines are taken by priority, then in the order of their creation, whatever the order in which they are given.
/// Each gets the first gap within its window that is as long as it takes; one without such a gap is left out and
/// reported. Times are minutes after midnight.
package struct Schedule: Sendable, Equatable {
    /// A routine that wants a place.
    package struct Candidate: Sendable, Equatable {
        /// The order of creation.
        package let number: Int64
        package let minutes: Int
        package let window: Range<Int>
        package let priority: Routines.Priority

        package init(number: Int64, minutes: Int, window: Range<Int>, priority: Routines.Priority) {
            self.number = number
            self.minutes = minutes
            self.window = window
            self.priority = priority
        }
    }

    package struct Placed: Sendable, Equatable {
        package let number: Int64
        package let time: Range<Int>
    }

    package static let dayMinutes = 1440

    /// By their start.
    package private(set) var placed: [Placed] = []
    /// The numbers of those without a place, in the order in which they were tried.
    package private(set) var left: [Int64] = []
    /// Taken times, by their start.
    private var taken: [Range<Int>]

    /// - Parameters:
    ///   - appointments: times that are taken already.
    ///   - from: nothing is placed before this minute.
    package init(of candidates: [Candidate], around appointments: [Range<Int>], from: Int = 0) {
        taken = appointments.sorted { $0.lowerBound < $1.lowerBound }
        for candidate in candidates.sorted(by: Self.isFirst) {
            if let time = gap(for: candidate, from: from) {
                placed.append(Placed(number: candidate.number, time: time))
                taken.insert(time, at: taken.firstIndex { $0.lowerBound > time.lowerBound } ?? taken.endIndex)
            } else {
                left.append(candidate.number)
            }
        }
        placed.sort { $0.time.lowerBound < $1.time.lowerBound }
    }

    private static func isFirst(_ one: Candidate, _ other: Candidate) -> Bool {
        (one.priority.rank, one.number) < (other.priority.rank, other.number)
    }

    private func gap(for candidate: Candidate, from: Int) -> Range<Int>? {
        var start = max(candidate.window.lowerBound, from)
        for time in taken where time.upperBound > start {
            if time.lowerBound - start >= candidate.minutes { break }
            start = time.upperBound
        }
        let end = start + candidate.minutes
        return end <= candidate.window.upperBound ? start..<end : nil
    }
}

extension Routines.Priority {
    /// Lower ranks go first.
    package var rank: Int {
        switch self {
        case .high: 0
        case .normal: 1
        case .low: 2
        }
    }

    package static func highest(of priorities: some Sequence<Routines.Priority>) -> Routines.Priority {
        priorities.min { $0.rank < $1.rank } ?? .low
    }
}
