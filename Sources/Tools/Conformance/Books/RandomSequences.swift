/// Sequences of steps, random ones above all, that a service and the kit's model of it take side by side. One that
/// tells them apart is shortened before it is reported.
package struct RandomSequences<Step: Sendable & CustomStringConvertible>: Sendable {
    /// Sequences that may be played to shorten one.
    private let attemptsMax: Int
    private let step: @Sendable (inout Seeded) -> Step
    private let play: @Sendable ([Step]) async throws -> Void

    /// - Parameters:
    ///   - step: the next step of a sequence.
    ///   - play: takes a sequence from its beginning, with ids of its own; throws `Wrong` where the two differ.
    package init(
        attemptsMax: Int = 60, step: @escaping @Sendable (inout Seeded) -> Step,
        play: @escaping @Sendable ([Step]) async throws -> Void
    ) {
        self.attemptsMax = attemptsMax
        self.step = step
        self.play = play
    }

    /// - Parameter first: a sequence that is played before the random ones, so that what it has never depends on them.
    /// - Throws: `Wrong` with the shortest sequence found, what was wrong at its end, and the seed of a random one.
    package func run(first: [Step] = [], seed: UInt64, count: Int, length: Int) async throws {
        if !first.isEmpty { try await run(first, named: "") }
        for index in 0..<UInt64(count) {
            let seed = seed &+ index
            var random = Seeded(seed)
            try await run((0..<length).map { _ in step(&random) }, named: " (seed \(seed))")
        }
    }

    private func run(_ steps: [Step], named name: String) async throws {
        guard let wrong = try await failure(of: steps) else { return }
        let (shortest, why) = try await shortened(steps, wrong)
        let words = shortest.map(\.description).joined(separator: "; ")
        throw Wrong("\(why.description), after: \(words)\(name)", isSilence: why.isSilence)
    }

    private func failure(of steps: [Step]) async throws -> Wrong? {
        do { try await play(steps) } catch let wrong as Wrong { return wrong }
        return nil
    }

    /// Leaves out runs of steps, long ones first, for as long as what is left still fails.
    private func shortened(_ steps: [Step], _ wrong: Wrong) async throws -> ([Step], Wrong) {
        var (best, why) = (steps, wrong)
        var attempts = 0
        var size = max(1, best.count / 2)
        while attempts < attemptsMax {
            var start = 0
            var isShorter = false
            while start < best.count, attempts < attemptsMax {
                let fewer = Array(best[..<start] + best[min(start + size, best.count)...])
                attempts += 1
                if !fewer.isEmpty, let other = try await failure(of: fewer) {
                    (best, why, isShorter) = (fewer, other, true)
                } else {
                    start += size
                }
            }
            if size == 1, !isShorter { break }
            size = max(1, size / 2)
        }
        return (best, why)
    }
}
