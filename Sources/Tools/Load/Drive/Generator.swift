import Bus
import Contracts
import DequeModule
import LoadReport
import Primitives

/// Sends operations and follows them to their outcome: one loop on one thread, over any carrier.
///
/// An operation is asked again, under the same key, until its outcome is known: its latency counts from its first
/// planned start. Everything is journaled. Not thread-safe; made and used on one thread.
package final class Generator {
    /// What is chosen anew for each operation.
    package struct Choice {
        package let mix: Mix
        package let cards: Distribution
        package let merchants: Distribution
        /// Minor units.
        package let amounts: ClosedRange<Int>
        /// Cards whose owners are registered; all of them, or the first.
        package let accountCards: Int
        package let seed: UInt64

        package init(
            mix: Mix, cards: Distribution, merchants: Distribution, amounts: ClosedRange<Int>, accountCards: Int,
            seed: UInt64
        ) {
            self.mix = mix
            self.cards = cards
            self.merchants = merchants
            self.amounts = amounts
            self.accountCards = accountCards
            self.seed = seed
        }
    }

    /// One stretch of load of one kind.
    package struct Stretch {
        package enum Pace {
            case closed(inFlight: Int)
            case open(perSecond: Double, inFlightMax: Int)
        }
        package let pace: Pace
        package let warmUp: UInt64
        package let measured: UInt64
        /// How long after its end open operations are still asked about. All in nanoseconds.
        package let patience: UInt64

        package init(pace: Pace, warmUp: UInt64, measured: UInt64, patience: UInt64) {
            self.pace = pace
            self.warmUp = warmUp
            self.measured = measured
            self.patience = patience
        }
    }

    /// Pauses before an operation is asked again: doubling, half to one and a half times as long by chance.
    static let pauseFirst: UInt64 = 10_000_000
    static let pauseMax: UInt64 = 500_000_000
    /// An operation is at most so much late by it, and that counts. Shorter sleeps cost the set processor
    /// time.
    private static let napMin: UInt64 = 1_000_000

    /// Operations to one reload that no card needs: so that each run proves some.
    private static let reloadEvery = 1000

    private let carrier: any Carrier
    let stage: Stage
    let scenarios: [any Scenario]
    private let reload: Int
    private let board: LiveBoard
    package let journal: Journal
    package internal(set) var recorder: Recorder

    private let amounts: ClosedRange<Int>
    private let accountCards: Int
    private let mixTable: AliasTable
    private let mixScenarios: [Int]
    private let cards: Distribution.Chooser
    private let merchants: Distribution.Chooser
    var dice: Dice

    /// What is left on each card, as far as this run knows: minor units.
    var balances: [Int64]
    /// Cards that may once have had too little.
    var overdrawn: Set<Int> = []
    var isReloading: Set<Int> = []

    var operations: [LoadOperation] = []
    var free: [Int] = []
    var live = 0
    /// Slots whose step is to be sent, oldest first.
    var ready: Deque<Int> = []
    var repeats: [(due: UInt64, slot: Int)] = []
    var nextRepeatLook: UInt64 = 0
    /// Requests answered: what the generator's own processor time is divided by.
    package internal(set) var requests = 0
    package internal(set) var oddReceipts: [String] = []

    /// - Parameter scenarios: those that the mix can name; the last one is the reload, also of cards that run low.
    package init(
        carrier: any Carrier, stage: Stage, scenarios: [any Scenario], choice: Choice, balances: [Int64],
        journal: Journal, board: LiveBoard
    ) {
        self.carrier = carrier
        self.stage = stage
        self.scenarios = scenarios
        reload = scenarios.count - 1
        self.board = board
        self.journal = journal
        recorder = Recorder(scenarios: scenarios.count, start: monotonicNanoseconds())
        amounts = choice.amounts
        accountCards = choice.accountCards
        mixTable = AliasTable(choice.mix.parts.map(\.weight))
        mixScenarios = choice.mix.parts.map { part in scenarios.firstIndex { $0.name == part.scenario }! }
        cards = choice.cards.chooser(among: stage.population.cards)
        merchants = choice.merchants.chooser(among: stage.population.merchants)
        dice = Dice(seed: choice.seed)
        self.balances = balances
    }

    // MARK: The loop

    package func run(_ stretch: Stretch) {
        let start = monotonicNanoseconds()
        let measureFrom = start + stretch.warmUp
        var end = measureFrom + stretch.measured
        var schedule: ArrivalSchedule?
        if case .open(let rate, _) = stretch.pace {
            schedule = ArrivalSchedule(start: start, end: end, perSecond: rate)
            recorder.offeredPerSecond = rate
            recorder.planned(mixScenarios[0], 0)
        }
        recorder.beginStep()
        recorder.isWarmUp = stretch.warmUp > 0
        showProgress()
        while true {
            var now = monotonicNanoseconds()
            if board.isStopped, now < end {
                end = now
                schedule = nil
            }
            if recorder.isWarmUp, now >= measureFrom { recorder.isWarmUp = false }
            if now >= end { recorder.endLoad(now, inFlight: live) }
            switch stretch.pace {
            case .closed(let inFlight):
                while now < end, live < inFlight { begin(planned: now, isMeasured: now >= measureFrom) }
            case .open(_, let inFlightMax):
                while live < inFlightMax, let planned = schedule?.take(at: now) {
                    begin(planned: planned, isMeasured: planned >= measureFrom)
                }
            }
            sendReady(now)
            lookAtRepeats(now)
            if recorder.tick(now, inFlight: live) { showProgress() }
            let isDone = now >= end && live == 0 && schedule?.next == nil
            if isDone || now > end + stretch.patience { break }
            if carrier.receive(now: now, handle) { continue }
            now = monotonicNanoseconds()
            carrier.wait(nanoseconds: nap(now, until: schedule?.next))
        }
        giveUp()
        recorder.finish(monotonicNanoseconds())
        showProgress()
    }

    private func nap(_ now: UInt64, until due: UInt64?) -> UInt64 {
        var nap: UInt64 = 20_000_000
        if let due, live < 60_000 { nap = min(nap, due > now ? due - now : 0) }
        if !repeats.isEmpty || !ready.isEmpty { nap = Self.napMin }
        return max(nap, Self.napMin)
    }

    private func showProgress() {
        let recorder = recorder
        let inFlight = live
        board.update {
            $0.isWarmUp = recorder.isWarmUp
            $0.ok = recorder.okCount
            $0.refused = recorder.refusedCount
            $0.trouble = recorder.troubleCount
            $0.inFlight = inFlight
            $0.last = recorder.intervals.last
        }
    }

    // MARK: Operations

    private func begin(planned: UInt64, isMeasured: Bool) {
        var operation = LoadOperation()
        operation.scenario = mixScenarios[mixTable.draw(&dice)]
        operation.card = cards.draw(&dice)
        if scenarios[operation.scenario].needsCustomerAccount { operation.card %= accountCards }
        operation.merchant = merchants.draw(&dice)
        operation.amount = amounts.lowerBound + dice.below(amounts.count)
        operation.planned = planned
        operation.isMeasured = isMeasured
        operation.moves = scenarios[operation.scenario].moves
        scenarios[operation.scenario].choose(&operation, stage)
        if wantsReload(operation), isReloading.insert(operation.card).inserted {
            beginReload(operation.card, planned: planned)
        }
        if isMeasured {
            recorder.planned(operation.scenario)
            recorder.sent(operation.scenario)
        }
        open(operation, isAside: false)
    }

    /// Whether the card of an operation runs low, or its turn has come.
    private func wantsReload(_ operation: LoadOperation) -> Bool {
        guard let moves = operation.moves else { return false }
        if journal.count % Self.reloadEvery == 0 { return true }
        return moves.debitsCard && balances[operation.card] < Int64(operation.amount + 10 * amounts.upperBound)
    }

    private func beginReload(_ card: Int, planned: UInt64) {
        var operation = LoadOperation()
        operation.scenario = reload
        operation.card = card
        operation.amount = min(100_000_000, max(10_000, 1000 * amounts.upperBound))
        operation.planned = planned
        operation.moves = .reload
        open(operation, isAside: true)
    }

    /// Gives an operation its next place in the journal.
    func enter(_ operation: inout LoadOperation, isAside: Bool) {
        operation.number = journal.count
        operation.charge =
            stage.driver == .bus && operation.moves != nil ? stage.id(operation.number) : ChargeID(high: 0, low: 0)
        scenarios[operation.scenario].begin(&operation, stage)
        if operation.moves?.debitsCard == true {
            balances[operation.card] -= Int64(operation.amount)
            if balances[operation.card] < 0 { overdrawn.insert(operation.card) }
        }
        journal.append(Intent(operation, isAside: isAside))
    }

    private func open(_ template: LoadOperation, isAside: Bool) {
        var operation = template
        operation.customer = stage.population.owner(ofCard: operation.card)
        enter(&operation, isAside: isAside)
        live += 1
        if let slot = free.popLast() {
            operations[slot] = operation
            ready.append(slot)
        } else {
            operations.append(operation)
            ready.append(operations.count - 1)
        }
    }

    private func sendReady(_ now: UInt64) {
        while let slot = ready.first, carrier.hasRoom {
            guard carrier.send(operations[slot], slot: slot, now: now) else { break }
            ready.removeFirst()
        }
    }
}
