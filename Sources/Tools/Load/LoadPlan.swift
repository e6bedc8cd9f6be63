import BusZMQ
import LoadReport

/// All settings of a load test, checked.
package struct LoadPlan: Sendable {
    package enum Pace: Sendable, Equatable {
        case closed
        case open(perSecond: Double)
        case ramp(from: Double, step: Span, p99: Span)
    }

    package var driver = LoadDriver.bus
    package var runDirectory = ""
    /// Where the set's services are asked.
    package var bus = BusAddress.directory("")
    /// Over HTTP: the gateways' addresses, over which connections and event streams are spread.
    package var gateways = ["127.0.0.1:8080"]
    package var mix = Mix(parts: [])
    package var pace = Pace.closed
    /// Operations at once in a closed loop; the bound of those at once in an open one. Over HTTP the connections too.
    package var inFlight = 0
    package var warmUp = Span(seconds: 2)
    package var duration = Span(seconds: 10)
    /// How long operations without a final answer are asked again at the end.
    package var patience = Span(seconds: 60)

    package var populationName = "default"
    package var customers = 0
    package var cardsEach = 1
    package var merchants = 20
    package var cardChoice = Distribution.uniform
    package var merchantChoice = Distribution.uniform
    /// Minor units.
    package var amounts = 1...100
    /// Touch devices; nil is as many as the customers may have.
    package var devices: Int?
    /// Event streams of customers; nil is one for each in a run with apps, and none in others.
    package var streams: Int?
    package var balanceMin: Int64 = 0
    /// Entries that the ledger has before the load begins.
    package var entriesMin: Int64 = 0
    package var seed: UInt64 = 1

    package var faults = FaultPlan()
    package var grace = Span(seconds: 1)
    package var processes: [String: Int32] = [:]

    package var isSharedSet = false
    package var verifiesWhole = true
    package var cardsWalkedMax = 50_000

    package init() {}

    /// Customers who have to be registered in auth.
    var accounts: Int {
        if driver == .http { return customers }
        let needed = ScenarioList.all.contains { scenario in
            scenario.needsCustomerAccount && mix.parts.contains { $0.scenario == scenario.name }
        }
        return needed ? min(customers, 64) : 0
    }

    var processTable: ProcessTable {
        ProcessTable(runDirectory: runDirectory, given: processes, gateways: gateways)
    }

    /// Refuses faults of processes that do not run.
    func requireTargets() throws(LoadUsageError) {
        let running = processTable.find().map(\.name)
        for fault in faults.faults where fault.target != "all" && !running.contains(fault.target) {
            throw LoadUsageError(
                "no process '\(fault.target)' was found. Name a program of your own that is in its place with "
                    + "--processes \(fault.target)=PID")
        }
    }

    var gatewayAddresses: [HTTPAddress] {
        get throws(LoadUsageError) { try gateways.map { text throws(LoadUsageError) in try HTTPAddress(text) } }
    }

    var shape: LoadShape {
        switch pace {
        case .closed: .closed(inFlight: inFlight)
        case .open(let rate): .open(perSecond: rate)
        case .ramp(let from, let step, let p99):
            .ramp(startPerSecond: from, stepSeconds: step.seconds, p99LimitMicros: p99.micros)
        }
    }

    /// From the first operation to the last one.
    var length: Span { Span(nanoseconds: warmUp.nanoseconds + duration.nanoseconds) }

    var playsDevices: Bool { plays(TouchScenario()) }
    /// Whether merchants make requests of their own.
    var needsMerchantLogIns: Bool {
        ScenarioList.all.contains { scenario in
            mix.parts.contains { $0.scenario == scenario.name } && scenario.steps.contains { $0.asker == .merchant }
        }
    }
    var playsOrders: Bool { plays(OrderScenario()) }
    var playsShops: Bool { plays(ShopScenario()) }
    private func plays(_ scenario: some Scenario) -> Bool { mix.parts.contains { $0.scenario == scenario.name } }
    /// Pairs of a customer and a merchant that order, each one order at a time.
    var orderPairs: Int { playsOrders ? min(customers * merchants, Self.orderPairsMax) : 0 }
    private static let orderPairsMax = 1_000_000
    var playsRefunds: Bool { plays(RefundScenario()) }
    var playsTransfers: Bool { plays(TransferScenario()) }
    /// Payments that are there to be paid back when the load begins: enough for some ten seconds at its highest rate.
    var paidCharges: Int { 64 * inFlight }
    /// Minor units: what each of them is worth, so that it is paid back in several parts. A payment has a limit.
    var refundedWorth: Int { min(4 * amounts.upperBound, 1_000_000) }
    var playsCoupons: Bool { plays(ChargeScenario(withCoupon: true)) }
    package var playsWalks: Bool { plays(WalkScenario()) }
    var playsApps: Bool { plays(AppScenario()) }
    /// Scenarios in which a customer is notified of a request for money.
    static let scenariosWithStreams: Set = [AppScenario().name, ChargeScenario().name]
    var streamCount: Int { streams ?? (playsApps ? customers : 0) }
    var deviceCount: Int {
        devices ?? max(customers * DevicePool.perCustomer, min(inFlight, customers * DevicePool.perCustomerMax))
    }

    /// Refuses what cannot work together.
    /// Operations a second.
    private static let rates = 0.001...1_000_000

    package func check() throws(LoadUsageError) {
        func need(_ condition: Bool, _ why: String) throws(LoadUsageError) {
            if !condition { throw LoadUsageError(why) }
        }
        try need((1...65_000).contains(inFlight), "between 1 and 65000 operations can be in flight")
        try need(driver == .bus || inFlight <= 4096, "over HTTP there are at most 4096 connections")
        try need(!gateways.isEmpty, "--http names no gateway")
        if driver == .http { _ = try gatewayAddresses }
        try need((1...1_000_000).contains(customers), "there can be 1 to 1000000 customers")
        try need((1...Population.cardsEachMax).contains(cardsEach), "a customer can have 1 to 100 cards")
        try need((1...100_000).contains(merchants), "there can be 1 to 100000 merchants")
        try need(amounts.lowerBound >= 1 && amounts.upperBound <= 1_000_000, "amounts are 1 to 1000000 minor units")
        try need((0...100_000_000).contains(balanceMin), "a balance can be 0 to 100000000 minor units")
        try need(entriesMin >= 0, "--entries cannot be below 0")
        for scenario in ScenarioList.all where mix.parts.contains(where: { $0.scenario == scenario.name }) {
            try need(
                scenario.drivers.contains(driver), "\(scenario.name) cannot be played over \(driver.rawValue)")
        }
        if playsDevices {
            try need(gateways.count == 1, "a touch device belongs to one gateway: --http has to name one")
            try need(
                deviceCount <= customers * DevicePool.perCustomerMax,
                "a customer can have \(DevicePool.perCustomerMax) devices at most")
            try need(deviceCount >= inFlight, "there have to be as many devices as operations in flight")
        }
        if streamCount > 0 {
            try need(
                driver == .http && mix.parts.contains { Self.scenariosWithStreams.contains($0.scenario) },
                "event streams need --over http and \(Self.scenariosWithStreams.sorted().joined(separator: " or ")) in "
                    + "the mix")
            try need(
                (0...customers * StreamWatch.perCustomer).contains(streamCount),
                "a customer can have \(StreamWatch.perCustomer) event streams at most")
        }
        if playsWalks {
            try need(customers >= inFlight, "there have to be as many customers as operations in flight, to walk")
        }
        if playsOrders {
            try need(
                orderPairs >= inFlight,
                "a customer orders once at a time at a merchant: there have to be as many pairs as operations in flight"
            )
        }
        if playsTransfers { try need(customers >= 2, "a transfer needs two customers") }
        if playsCoupons {
            try need(
                accounts * merchants <= CouponOpening.subscriptionsMax,
                "each customer subscribes to each merchant's coupons, \(CouponOpening.subscriptionsMax) in all at most")
        }
        try need(duration.nanoseconds > 0, "the load has to last some time")
        try faults.check(within: length, given: processes.keys.sorted())
        try need(
            populationName.utf8.count <= 24
                && !populationName.isEmpty
                && populationName.utf8.allSatisfy {
                    (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || $0 == 0x2D
                }, "a population's name has 1 to 24 letters, digits and -")
        switch pace {
        case .closed: break
        case .open(let rate): try need(Self.rates.contains(rate), "a rate is 0.001 to 1000000 a second")
        case .ramp(let from, let step, let p99):
            try need(Self.rates.contains(from), "a ramp starts at 0.001 to 1000000 a second")
            try need(step.seconds >= 0.5, "a step of a ramp lasts 500ms at least")
            try need(p99.nanoseconds > 0, "the p99 limit has to be above 0")
        }
    }
}
