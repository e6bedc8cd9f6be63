import Bus
import Contracts
import LoadReport
import Primitives

/// Sends operations and hears what becomes of them: one loop on one thread, over whatever carries them.
///
/// An operation is asked again, under the same key, until its outcome is known: its latency counts from its first planned
/// start. Everything is journaled. Not thread-safe; made and used on one thread.
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
    private static let pauseFirst: UInt64 = 10_000_000
    private static let pauseMax: UInt64 = 500_000_000
    /// An operation is at most so much late by it, and that counts. A sleep of 0.1 ms costs some 50 µs of processor on a virtual
    /// machine: such naps took a tenth of what a set and its load used at half of the highest rate (docs/performance.md).
    private static let napMin: UInt64 = 1_000_000

    /// Operations to one reload that no card needs: so that each run proves some.
    private static let reloadEvery = 1000

    private let carrier: any Carrier
    private let stage: Stage
    private let scenarios: [any Scenario]
    private let reload: Int
    private let board: LiveBoard
    package let journal: Journal
    package private(set) var recorder: Recorder

    private let amounts: ClosedRange<Int>
    private let accountCards: Int
    private let mixTable: AliasTable
    private let mixScenarios: [Int]
    private let cards: Distribution.Chooser
    private let merchants: Distribution.Chooser
    private var dice: Dice

    /// What is left on each card, as far as this run knows: minor units.
    private var balances: [Int64]
    private var isReloading: Set<Int> = []

    private var deals: [Deal] = []
    private var free: [Int] = []
    private var live = 0
    /// Slots whose step is to be sent, oldest first.
    private var ready: [Int] = []
    private var readyHead = 0
    private var repeats: [(due: UInt64, slot: Int)] = []
    private var nextRepeatLook: UInt64 = 0
    /// Requests answered: what the generator's own processor time is divided by.
    package private(set) var requests = 0
    package private(set) var oddReceipts: [String] = []

    /// - Parameter scenarios: those that the mix can name; the last one is the reload.
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
        tell()
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
            if recorder.tick(now, inFlight: live) { tell() }
            let isDone = now >= end && live == 0 && schedule?.next == nil
            if isDone || now > end + stretch.patience { break }
            if carrier.receive(now: now, handle) { continue }
            now = monotonicNanoseconds()
            carrier.wait(nanoseconds: nap(now, until: schedule?.next))
        }
        giveUp()
        recorder.finish(monotonicNanoseconds())
        tell()
    }

    private func nap(_ now: UInt64, until due: UInt64?) -> UInt64 {
        var nap: UInt64 = 20_000_000
        if let due, live < 60_000 { nap = min(nap, due > now ? due - now : 0) }
        if !repeats.isEmpty || ready.count > readyHead { nap = Self.napMin }
        return max(nap, Self.napMin)
    }

    private func tell() {
        let recorder = recorder
        let inFlight = live
        board.tell {
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
        var deal = Deal()
        deal.scenario = mixScenarios[mixTable.draw(&dice)]
        deal.card = cards.draw(&dice)
        if scenarios[deal.scenario].needsCustomerAccount { deal.card %= accountCards }
        deal.merchant = merchants.draw(&dice)
        deal.amount = amounts.lowerBound + dice.below(amounts.count)
        deal.planned = planned
        deal.isMeasured = isMeasured
        scenarios[deal.scenario].choose(&deal, stage)
        if scenarios[deal.scenario].movesMoney,
            balances[deal.card] < Int64(deal.amount + 10 * amounts.upperBound)
                || journal.count % Self.reloadEvery == 0,
            isReloading.insert(deal.card).inserted
        {
            beginReload(deal.card, planned: planned)
        }
        balances[deal.card] -= Int64(deal.amount)
        if isMeasured {
            recorder.planned(deal.scenario)
            recorder.sent(deal.scenario)
        }
        open(deal, isReload: false)
    }

    private func beginReload(_ card: Int, planned: UInt64) {
        var deal = Deal()
        deal.scenario = reload
        deal.card = card
        deal.amount = min(100_000_000, max(10_000, 1000 * amounts.upperBound))
        deal.planned = planned
        open(deal, isReload: true)
    }

    private func open(_ template: Deal, isReload: Bool) {
        var deal = template
        deal.customer = stage.population.owner(ofCard: deal.card)
        deal.number = journal.count
        var intent = Intent()
        intent.card = UInt32(deal.card)
        intent.merchant = UInt32(deal.merchant)
        intent.amount = UInt32(deal.amount)
        intent.scenario = UInt8(deal.scenario)
        intent.isReload = isReload
        intent.isMoneyless = !scenarios[deal.scenario].movesMoney
        if stage.driver == .bus, !intent.isMoneyless { deal.charge = stage.id(deal.number) }
        scenarios[deal.scenario].begin(&deal, stage)
        intent.charge = deal.charge
        intent.coupon = deal.coupon
        journal.append(intent)
        live += 1
        if let slot = free.popLast() {
            deals[slot] = deal
            ready.append(slot)
        } else {
            deals.append(deal)
            ready.append(deals.count - 1)
        }
    }

    private func sendReady(_ now: UInt64) {
        while readyHead < ready.count, carrier.hasRoom {
            guard carrier.send(deals[ready[readyHead]], slot: ready[readyHead], now: now) else { break }
            readyHead += 1
        }
        if readyHead == ready.count {
            ready.removeAll(keepingCapacity: true)
            readyHead = 0
        } else if readyHead > 4096 {
            ready.removeFirst(readyHead)
            readyHead = 0
        }
    }

    private func handle(_ slot: Int, _ event: CarrierEvent) {
        requests += 1
        switch event {
        case .reply(let answer):
            let scenario = scenarios[deals[slot].scenario]
            guard scenario.take(answer, of: deals[slot].step, into: &deals[slot], stage) else {
                return askAgain(slot, LostReason.answer.rawValue)
            }
            deals[slot].step += 1
            deals[slot].attempt = 0
            if deals[slot].step < scenario.steps.count {
                ready.append(slot)
            } else {
                if deals[slot].receiptDiffers, oddReceipts.count < 20 { oddReceipts.append(answer.string) }
                acknowledge(slot)
            }
        case .refusal(let answer):
            let code = answer.plainText("\"code\":\"").map { String(decoding: $0, as: UTF8.self) } ?? "no_code"
            if scenarios[deals[slot].scenario].goesOn(after: code, &deals[slot], stage) { return askAgain(slot, code) }
            // Only `never` is final. A PIN that has to be entered again is being entered again.
            if answer.after("\"retry\":\"never\"") != nil, code != FaultCode.pinRequired.code {
                refuse(slot, code)
            } else {
                askAgain(slot, code)
            }
        case .lost(let reason): askAgain(slot, reason.rawValue)
        }
    }

    private func acknowledge(_ slot: Int) {
        let deal = deals[slot]
        var intent = journal[deal.number]
        intent.outcome = .acknowledged
        intent.charge = deal.charge
        intent.entry = deal.entry
        intent.cardBalance = deal.cardBalance
        intent.receiptDiffers = deal.receiptDiffers
        intent.amount = UInt32(max(0, deal.amount - deal.discount))
        intent.discount = UInt32(max(0, deal.discount))
        intent.coupon = deal.coupon
        journal[deal.number] = intent
        if intent.isReload {
            balances[deal.card] += Int64(deal.amount)
            isReloading.remove(deal.card)
        } else {
            let now = monotonicNanoseconds()
            recorder.answered(
                deal.scenario, nanoseconds: now - min(now, deal.planned), at: now, isMeasured: deal.isMeasured)
        }
        release(slot)
    }

    private func refuse(_ slot: Int, _ code: String) {
        let deal = deals[slot]
        let number = stage.codes.number(of: code)
        journal[deal.number].outcome = .refused
        journal[deal.number].code = number
        if journal[deal.number].charge != deal.charge { journal[deal.number].charge = deal.charge }
        if journal[deal.number].isReload {
            isReloading.remove(deal.card)
        } else {
            balances[deal.card] += Int64(deal.amount)
            recorder.refused(deal.scenario, number, isMeasured: deal.isMeasured)
        }
        release(slot)
    }

    private func askAgain(_ slot: Int, _ code: String) {
        let number = stage.codes.number(of: code)
        let deal = deals[slot]
        journal[deal.number].code = number
        if journal[deal.number].repeats < .max { journal[deal.number].repeats += 1 }
        deals[slot].attempt += 1
        recorder.repeated(deal.scenario, number, isMeasured: deal.isMeasured)
        let pause = min(Self.pauseFirst << UInt64(min(deal.attempt, 10)), Self.pauseMax)
        let jittered = pause / 2 + UInt64(Double(pause) * dice.fraction())
        repeats.append((monotonicNanoseconds() + jittered, slot))
    }

    private func lookAtRepeats(_ now: UInt64) {
        guard !repeats.isEmpty, now >= nextRepeatLook else { return }
        nextRepeatLook = now + 2_000_000
        for (due, slot) in repeats where due <= now { ready.append(slot) }
        repeats.removeAll { $0.due <= now }
    }

    private func release(_ slot: Int) {
        scenarios[deals[slot].scenario].end(deals[slot], stage)
        free.append(slot)
        live -= 1
    }

    /// What is still open stays unknown.
    private func giveUp() {
        guard live > 0 else { return }
        let open = Set(deals.indices).subtracting(free)
        for slot in open {
            let deal = deals[slot]
            let intent = journal[deal.number]
            if !intent.isReload { recorder.gaveUp(deal.scenario, intent.code, isMeasured: deal.isMeasured) }
            if deal.charge.high != 0 { journal[deal.number].charge = deal.charge }
        }
    }
}
