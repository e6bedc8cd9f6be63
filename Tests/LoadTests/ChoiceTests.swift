import Foundation
import Load
import Testing

@Suite struct ChoiceTests {
    private func frequencies(_ distribution: Distribution, among count: Int, draws: Int) -> [Double] {
        let chooser = distribution.chooser(among: count)
        var dice = Dice(seed: 7)
        var counts = [Int](repeating: 0, count: count)
        for _ in 0..<draws { counts[chooser.draw(&dice)] += 1 }
        return counts.map { Double($0) / Double(draws) }
    }

    @Test func uniformIsUniform() {
        for frequency in frequencies(.uniform, among: 10, draws: 200_000) { #expect(abs(frequency - 0.1) < 0.005) }
    }

    @Test func zipfFallsWithThePlace() {
        let found = frequencies(.zipf(exponent: 1), among: 100, draws: 400_000)
        let harmonic = (1...100).reduce(0.0) { $0 + 1 / Double($1) }
        for place in [0, 1, 4, 19, 99] {
            let expected = 1 / Double(place + 1) / harmonic
            #expect(abs(found[place] - expected) < 0.003 + expected * 0.03, "place \(place)")
        }
    }

    @Test func theHotOneGetsItsShare() {
        let found = frequencies(.hot(share: 0.5), among: 11, draws: 200_000)
        #expect(abs(found[0] - 0.5) < 0.01)
        for frequency in found[1...] { #expect(abs(frequency - 0.05) < 0.005) }
    }

    @Test func oneAmongOneIsAlwaysChosen() {
        for distribution in [Distribution.uniform, .zipf(exponent: 0.99), .hot(share: 0.1)] {
            #expect(frequencies(distribution, among: 1, draws: 100) == [1])
        }
    }

    @Test func theSameSeedChoosesTheSame() {
        var (first, second, other) = (Dice(seed: 3), Dice(seed: 3), Dice(seed: 4))
        let draws = (0..<100).map { _ in first.next() }
        #expect(draws == (0..<100).map { _ in second.next() })
        #expect(draws != (0..<100).map { _ in other.next() })
    }

    @Test(arguments: [
        ("uniform", Distribution.uniform), ("zipf", .zipf(exponent: 0.99)), ("zipf:0.8", .zipf(exponent: 0.8)),
        ("hot:0.25", .hot(share: 0.25)), ("hot:40%", .hot(share: 0.4))
    ])
    func distributionsAreRead(_ text: String, _ expected: Distribution) { #expect(Distribution(text) == expected) }

    @Test(arguments: ["", "hot", "hot:2", "zipf:-1", "zipf:x", "uniform:1", "normal", "hot:0.1:3"])
    func otherDistributionsAreNot(_ text: String) { #expect(Distribution(text) == nil) }

    // MARK: The mix

    @Test func aMixIsDrawnByItsWeights() throws {
        let mix = try Mix("card=8,code=1,charge=1", known: ScenarioList.names)
        let table = AliasTable(mix.parts.map(\.weight))
        var dice = Dice(seed: 11)
        var counts = [0, 0, 0]
        for _ in 0..<100_000 { counts[table.draw(&dice)] += 1 }
        #expect(abs(Double(counts[0]) / 100_000 - 0.8) < 0.01)
        #expect(abs(Double(counts[1]) / 100_000 - 0.1) < 0.01)
        #expect(abs(Double(counts[2]) / 100_000 - 0.1) < 0.01)
    }

    @Test func aWeightOfNothingIsLeftOut() throws {
        #expect(try Mix("card=1,code=0", known: ScenarioList.names).parts.map(\.scenario) == ["card"])
        #expect(try Mix("card", known: ScenarioList.names).description == "card=1")
    }

    @Test(arguments: ["", "card=0", "card=-1", "card=x", "tap=1", "card=1,card=2", "card=1=2", "card=1e300"])
    func otherMixesAreRefused(_ text: String) {
        #expect(throws: LoadUsageError.self) { try Mix(text, known: ScenarioList.names) }
    }

    // MARK: Durations

    @Test(arguments: [
        ("5s", 5e9), ("200ms", 2e8), ("2m", 120e9), ("1.5s", 1.5e9), ("0s", 0), ("1h", 3600e9), ("50us", 5e4)
    ])
    func durationsAreRead(_ text: String, _ nanoseconds: Double) {
        #expect(Span(text)?.nanoseconds == UInt64(nanoseconds))
    }

    @Test(arguments: ["", "5", "s", "-5s", "5 s", "5d", "1e9s", "1.2.3s", "99999999999h"])
    func otherDurationsAreNot(_ text: String) { #expect(Span(text) == nil) }
}
