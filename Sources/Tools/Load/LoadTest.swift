import Audit
import Bus
import BusZMQ
import Checks
import Contracts
import Glibc
import HTTPClient
import LoadReport
import Primitives
import Sodium

/// A whole load test: people, baseline, load with faults, evidence, verdict.
package final class LoadTest: Sendable {
    private let plan: LoadPlan
    /// Told several times a second what is going on.
    private let progress: @Sendable (LoadProgress) -> Void
    private let board = LiveBoard()
    private let reactor: Reactor
    private let bus: Bus

    package init(_ plan: LoadPlan, progress: @escaping @Sendable (LoadProgress) -> Void) throws {
        self.plan = plan
        self.progress = progress
        useBatchScheduling()
        reactor = try Reactor(Reactor.Settings(bus: plan.bus))
        bus = Bus(name: "load", transport: reactor)
        reactor.start()
    }

    /// Ends the load early; what was done is still proved and reported.
    ///
    /// - Returns: whether the load has begun: before that there is nothing to end, and nothing to prove.
    package func stop() -> Bool {
        board.stop()
        return board.hasBegun
    }

    package func end() async { await reactor.stop() }

    private var population: Population {
        Population(
            name: plan.populationName, customers: plan.customers, cardsEach: plan.cardsEach, merchants: plan.merchants)
    }

    private func preparation() -> Preparation {
        Preparation(
            bus: bus, population: population, accounts: plan.accounts, balanceMin: plan.balanceMin,
            entriesMin: plan.entriesMin)
    }

    /// Only makes the population.
    package func prepare() async throws {
        try await greet()
        try await preparation().run(progress: published(.preparing))
    }

    package func run() async throws -> LoadRun {
        try await greet()
        try plan.requireTargets()
        let people = preparation()
        try await people.run(progress: published(.preparing))
        let isOverHTTP = plan.driver == .http
        let logIns =
            isOverHTTP
            ? try await people.logIn(
                merchants: plan.needsMerchantLogIns, progress: published(.preparing)) : LogIns()
        let devices = DevicePool(
            plan.playsDevices ? plan.deviceCount : 0, run: UInt32(truncatingIfNeeded: Randomness.shared.pair().0))
        try await DeviceOpening(gateway: plan.gateways[0], population: population, logIns: logIns, pool: devices)
            .run(progress: published(.preparing))
        let walks =
            plan.playsWalks
            ? try await WalkOpening(bus: bus, population: population).run(progress: published(.preparing)) : nil
        let coupons = CouponBook(of: population, run: UInt32(truncatingIfNeeded: Randomness.shared.pair().0))
        if plan.playsCoupons {
            try await CouponOpening(bus: bus, population: population, customers: plan.accounts, book: coupons)
                .run(progress: published(.preparing))
        }
        let shops = ShopOpening(bus: bus, population: population)
        if plan.playsOrders { try await shops.writeMenus(progress: published(.preparing)) }
        if plan.playsShops { try await shops.writePages(progress: published(.preparing)) }
        let paid = PaidCharges(worth: plan.refundedWorth)
        if plan.playsRefunds {
            try await RefundOpening(bus: bus, population: population, count: plan.paidCharges)
                .fill(paid, progress: published(.preparing))
        }
        let streams = StreamWatch(
            gateways: try plan.gatewayAddresses, count: plan.streamCount, logIns: logIns, heads: try await inboxHeads())
        defer { streams.stop() }
        let bytesBefore = plan.processTable.gatewayBytes()
        try await streams.start(progress: published(.preparing))
        let baseline = try await Baseline.read(
            bus, population, includesFences: plan.playsWalks, includesCoupons: plan.playsCoupons,
            includesOrders: plan.playsOrders, progress: published(.preparing))
        let listener = NoticeListener(after: baseline.paymentsHead)
        if case .nats = plan.bus { listener.start(on: reactor) } else { try listener.start(on: plan.bus) }
        try await connected(listener)

        let session = try LoadSession(
            plan: plan, population: population, logIns: logIns, devices: devices,
            walks: walks ?? WalkPool(0, since: bus.clock.now()), coupons: coupons, paid: paid,
            balances: baseline.cards, board: board)
        let keeper = Task { try await keepPINs(logIns, people) }
        board.begin()
        session.start()
        await watch(session)
        keeper.cancel()

        let reader = EvidenceReader(
            bus: bus, stage: session.stage, scenarios: session.scenarios, baseline: baseline,
            cardsWalkedMax: plan.cardsWalkedMax,
            verifiesWhole: plan.verifiesWhole, isSharedSet: plan.isSharedSet, seed: plan.seed,
            locationBirth: { session.birth(of: Location.service) })
        let verdict: MoneyVerdict
        var evidence = reader.begin(session.journal)
        evidence.oddReceipts = session.oddReceipts
        do {
            try await reader.read(into: &evidence, live: { listener.received }, progress: published(.checking))
            if plan.streamCount > 0 { evidence.streams = await settled(streams, session.journal) }
            let reached = Verdict.reach(evidence)
            // Nothing was played, so nothing is proved; what is wrong is told all the same.
            verdict = session.journal.count == 0 && reached.passed ? MoneyVerdict(checks: []) : reached
        } catch {
            // What was measured is told all the same.
            verdict = Verdict.unproved(error, evidence)
        }
        listener.stop()
        return session.report(
            verdict: verdict, listenerMicros: listener.cpuMicros, streams: evidence.streams,
            streamMicros: streams.cpuMicros, gatewayBytesBefore: bytesBefore)
    }

    /// By customer, the newest notice there is; empty in a run without event streams.
    private func inboxHeads() async throws -> [Int64] {
        guard plan.streamCount > 0 else { return [] }
        let count = plan.accounts
        return try await pipelined(Array(0..<count), width: 64, on: bus) { [bus, population] number in
            try await bus.ask(
                Notifications.ReadInbox(account: population.customer(number), limit: 1), in: bus.patient
            ).head
        } done: { [progress = published(.preparing)] in
            progress("inboxes", $0, count)
        }
    }

    private func settled(_ streams: StreamWatch, _ journal: Journal) async -> StreamEvidence {
        let empty = StreamEvidence(streams: plan.streamCount, customers: plan.accounts)
        return await streams.settled(expecting: StreamChecks.expected(journal, population, empty))
    }

    /// Whether there is a set at all, before anything else is tried.
    private func greet() async throws {
        do {
            _ = try await bus.ask(Broker.ReadQueues(), in: AskContext(deadline: bus.clock.now() + .seconds(3)))
        } catch {
            throw LoadUnreachable(
                "no set of Billfold answers \(plan.bus): 'billfold up' starts one, --run says where one is")
        }
        if plan.driver == .http { for gateway in plan.gateways { try greet(gateway) } }
    }

    /// Any answer will do: what it says of its health is not asked for.
    private func greet(_ gateway: String) throws {
        let client = try HTTPClient(gateway)
        do {
            try client.connect()
            var patience = timeval(tv_sec: 5, tv_usec: 0)
            setsockopt(
                client.descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
            _ = try client.request("GET", "/health")
        } catch {
            throw LoadUnreachable(
                "no gateway answers at \(gateway): nothing was played and no money moved; --http says where it is "
                    + "(\(error))")
        }
    }

    private func connected(_ listener: NoticeListener) async throws {
        for _ in 0..<200 {
            if listener.isConnected { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw LoadUnreachable("payments publishes nothing on the bus: nothing was played; is it running?")
    }

    /// An entered PIN counts for a quarter of an hour.
    private func keepPINs(_ logIns: LogIns, _ people: Preparation) async throws {
        while !logIns.sessions.isEmpty {
            try await Task.sleep(for: .seconds(600))
            for session in logIns.sessions {
                // The next turn tries again; meanwhile requests that need the PIN are repeated.
                try? await people.enterPIN(session)
            }
        }
    }

    private func published(_ phase: LoadProgress.Phase) -> (String, Int, Int) -> Void {
        let start = monotonicNanoseconds()
        return { [progress] what, done, of in
            progress(
                LoadProgress(
                    phase: phase, elapsedSeconds: Double(monotonicNanoseconds() - start) / 1e9,
                    fraction: of > 0 ? min(1, Double(done) / Double(of)) : nil, note: what))
        }
    }

    /// Samples processes and queues once a second and reports progress until the load has ended.
    private func watch(_ session: LoadSession) async {
        var nextSample = session.zero
        while !board.isEnded {
            let now = monotonicNanoseconds()
            if now >= nextSample {
                nextSample = now + 1_000_000_000
                await session.sample(bus, at: now)
            }
            progress(session.progress(at: now))
            // Cut short only when the whole command ends.
            try? await Task.sleep(for: .milliseconds(100))
        }
        await session.sample(bus, at: monotonicNanoseconds())
    }
}
