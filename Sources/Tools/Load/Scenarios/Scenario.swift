import Contracts
import LoadReport
import Primitives

/// Something that people do, played again and again: one or several asks that belong together.
///
/// A new one is a file with a type of this protocol, and a line in `ScenarioList`. It is written twice, as the `data`
/// of an ask and as the body of a request, and reads the few bytes that it needs from the answers, which are the same.
package protocol Scenario: Sendable {
    /// As `--mix` names it.
    var name: String { get }
    /// One line for the help.
    var summary: String { get }
    /// One after another; each is sent when the one before was answered.
    var steps: [ScenarioStep] { get }
    /// Whether the customer has to be registered in auth, also when the load goes straight over the bus.
    var needsCustomerAccount: Bool { get }
    /// What can carry it.
    var drivers: Set<LoadDriver> { get }
    /// What the ledger has to show for it; nil where no money is to move.
    var moves: MovementKind? { get }
    /// The ask that the verdict makes once more under the key of an acknowledged payment; nil where the journal does
    /// not have all that it needs. Other movements can always be asked again.
    var askedAgain: AskedAgain? { get }

    /// Changes what was chosen for an operation, before anything is known of it.
    func choose(_ operation: inout LoadOperation, _ stage: Stage)
    /// An operation has begun, and has its number. Once more where a step has ended an intent, with the next number.
    func begin(_ operation: inout LoadOperation, _ stage: Stage)
    /// An operation has ended, however.
    func end(_ operation: LoadOperation, _ stage: Stage)
    /// Whether a refusal only means that the operation has to go on from another step.
    func goesOn(after code: String, _ operation: inout LoadOperation, _ stage: Stage) -> Bool

    /// Writes the `data` of a step's ask.
    func writeAsk(_ step: Int, _ operation: LoadOperation, _ stage: Stage, to text: RequestText)
    /// Writes the path of a step's request, from `/v1` on.
    func writePath(_ step: Int, _ operation: LoadOperation, _ stage: Stage, to text: RequestText)
    /// Writes further fields of a step's request, each with a line end before it.
    func writeFields(_ step: Int, _ operation: LoadOperation, _ stage: Stage, to text: RequestText)
    /// Writes the body of a step's request.
    func writeBody(_ step: Int, _ operation: LoadOperation, _ stage: Stage, to text: RequestText)
    /// Takes from a reply what is needed; false when it is not there. Afterwards comes the next step, which is the one
    /// behind `operation.step`.
    func take(_ answer: AnswerText, of step: Int, into operation: inout LoadOperation, _ stage: Stage) -> Bool
}

extension Scenario {
    package var drivers: Set<LoadDriver> { Set(LoadDriver.allCases) }
    package var moves: MovementKind? { .payment }
    package var askedAgain: AskedAgain? { nil }
    package func writeFields(_ step: Int, _ operation: LoadOperation, _ stage: Stage, to text: RequestText) {}
    package func choose(_ operation: inout LoadOperation, _ stage: Stage) {}
    package func begin(_ operation: inout LoadOperation, _ stage: Stage) {}
    package func end(_ operation: LoadOperation, _ stage: Stage) {}
    package func goesOn(after code: String, _ operation: inout LoadOperation, _ stage: Stage) -> Bool { false }
}

/// The asks that can be made once more from what the journal has: the key is the charge's id, or the operation's.
package enum AskedAgain: Sendable { case payment, approval, reload, refund, transfer }

package struct ScenarioStep: Sendable {
    package enum Asker: Sendable { case customer, merchant }

    /// Nil where there is only a request.
    package let ask: MessageType?
    package let retry: RetryClass
    /// Whose session the request is made in.
    package let asker: Asker
    /// Whether the request has an `Idempotency-Key`.
    package let isKeyed: Bool
    /// The request's HTTP method.
    package let method: StaticString
    /// Whether it moves money that is an intent of its own: the next step begins another.
    package let endsIntent: Bool

    /// A step over HTTP only.
    package init(requestBy asker: Asker, isKeyed: Bool = false) {
        ask = nil
        endsIntent = false
        retry = .keyed
        self.asker = asker
        self.isKeyed = isKeyed
        method = "POST"
    }

    /// A step that only reads, over HTTP only.
    package init(readBy asker: Asker) {
        ask = nil
        endsIntent = false
        retry = .idempotent
        self.asker = asker
        isKeyed = false
        method = "GET"
    }

    package init(
        _ ask: (some Ask).Type, by asker: Asker, isKeyed: Bool = true, method: StaticString = "POST",
        endsIntent: Bool = false
    ) {
        self.endsIntent = endsIntent
        self.ask = ask.type
        retry = ask.retry
        self.asker = asker
        self.isKeyed = isKeyed
        self.method = method
    }
}

/// One operation on its way: who, whom, how much, and what has been learnt so far.
package struct LoadOperation: Sendable {
    /// Its place in the journal.
    package var number = 0
    package var scenario = 0
    package var step = 0
    package var card = 0
    package var customer = 0
    package var merchant = 0
    /// Minor units.
    package var amount = 0
    /// Monotonic nanoseconds.
    package var planned: UInt64 = 0
    package var isMeasured = false
    /// How often the present step has been asked again.
    package var attempt = 0

    /// Chosen by us, or taken from the answer.
    package var charge = ChargeID(high: 0, low: 0)
    package var code: [UInt8] = []
    package var entry: Int64 = 0
    package var cardBalance: Int64 = 0
    package var receiptDiffers = false
    /// What it is to be paid with, and what that has taken off, in minor units.
    package var coupon = CouponBook.Coupon.none
    package var discount = 0
    /// The device that is touched.
    package var device = -1
    /// Touches that paid nothing, for good.
    package var touches = 0
    /// How often the way to the pay screen was begun anew.
    package var steering = 0
    /// Nobody knows yet whether the last touch has paid.
    package var isUnsettled = false
    /// The time of a walk's first fix: milliseconds since 1970.
    package var walkStart: Int64 = 0
    /// The customer and the merchant of an order, as one number.
    package var pair = 0
    /// An order that is thrown away first.
    package var leftOver = ChargeID(high: 0, low: 0)
    /// Whether the order was closed, and its items are in another one.
    package var isRenewed = false
    /// What the present intent is to move; nil where no money is to move.
    package var moves: MovementKind?
    /// The card that a transfer goes to.
    package var payee = 0
    /// The payment that is paid back: its place among the run's paid charges. -1: it is made first.
    package var paid = -1
    /// Minor units: what is to be paid back of a payment that is made first.
    package var refund = 0
    /// Whether a refund names no amount: all that is left is paid back.
    package var isWhole = false

    package init() {}
}

/// What all operations of a run share.
package struct Stage: Sendable {
    package let driver: LoadDriver
    package let population: Population
    /// Tells this run's keys and memos from those of all others.
    package let run: UInt32
    /// The first half of the first ids that this run chooses: its time, so that they sort behind older ones.
    package let idHigh: UInt64
    package let idMask: UInt64
    package let codes = CodeTable()
    package let devices: DevicePool
    package let walks: WalkPool
    package let coupons: CouponBook
    /// Pairs of a customer and a merchant, for orders.
    package let orders: TurnPool
    package let paid: PaidCharges

    package init(
        driver: LoadDriver, population: Population, run: UInt32, started: Timestamp,
        devices: DevicePool = DevicePool(0), walks: WalkPool = WalkPool(0, since: Timestamp(milliseconds: 0)),
        coupons: CouponBook? = nil, orders: TurnPool = TurnPool(0), paid: PaidCharges = PaidCharges(worth: 1)
    ) {
        self.driver = driver
        self.devices = devices
        self.walks = walks
        self.orders = orders
        self.paid = paid
        self.coupons = coupons ?? CouponBook(of: population, run: run)
        self.population = population
        self.run = run
        idHigh = UInt64(truncatingIfNeeded: started.milliseconds) << 16 | UInt64(run & 0xFFFF)
        idMask = UInt64(run) << 32
    }

    /// The charge id (over the bus), attempt or operation of an intent. Its time grows with the number.
    package func id<Subject>(_ number: Int) -> Identifier<Subject> {
        let number = UInt64(number)
        return Identifier(high: idHigh &+ (number >> 4) << 16, low: idMask | number)
    }

    /// What an intent's memo says: `L` and the run, a dash, the number. Links an entry to its intent whatever its id.
    package func writeMemo(_ number: Int, to text: RequestText) {
        text.text("L")
        text.decimal(Int(run))
        text.text("-")
        text.decimal(number)
    }

    /// An intent's `Idempotency-Key`: a UUID of version 7 (RFC 9562, section 5.7), as the gateway likes them best. Its
    /// time grows with the number, the rest is the number and the run: the same for each repeat, and no other's.
    package func writeKey(_ number: Int, to text: RequestText) {
        let number = UInt64(number)
        let time = idHigh >> 16 &+ number >> 4
        text.hex(time >> 16, digits: 8)
        text.text("-")
        text.hex(time, digits: 4)
        text.text("-7")
        text.hex(number, digits: 3)
        text.text("-8")
        text.hex(number >> 12, digits: 3)
        text.text("-")
        text.hex(number >> 24, digits: 4)
        text.hex(UInt64(run), digits: 8)
    }

    package func memo(_ number: Int) -> String { "L\(run)-\(number)" }

    package func number(ofMemo memo: String) -> Int? {
        let prefix = "L\(run)-"
        return memo.hasPrefix(prefix) ? Int(memo.dropFirst(prefix.count)) : nil
    }
}

extension RequestText {
    func field<Subject>(_ key: StaticString, _ id: Identifier<Subject>) {
        text(key)
        hex(id)
        text("\"")
    }

    /// `,"amount":{"amount":5,"currency":"USD"}`
    func amount(_ minor: Int) {
        text(",\"amount\":{\"amount\":")
        decimal(minor)
        text(",\"currency\":\"USD\"}")
    }

    func memo(_ number: Int, _ stage: Stage) {
        text(",\"memo\":\"")
        stage.writeMemo(number, to: self)
        text("\"")
    }
}

extension AnswerText {
    /// Reads a receipt and compares it with what was asked for.
    func takeReceipt(into operation: inout LoadOperation, _ stage: Stage) -> Bool {
        guard let charge = identifier("\"charge\":\"", of: ChargeID.self), let entry = integer("\"entry\":") else {
            return false
        }
        // Without a coupon the amount alone says whether anything was taken off.
        let coupon = stage.coupons.id(operation.coupon, of: operation.merchant)
        operation.discount = coupon == nil ? 0 : Int(integer("\"discount\":{\"amount\":") ?? 0)
        operation.receiptDiffers =
            integer("\"amount\":{\"amount\":") != Int64(operation.amount - operation.discount)
            || operation.discount != stage.coupons.discount(operation.coupon, off: operation.amount)
            || coupon != nil && identifier("\"coupon\":\"") != coupon
            || identifier("\"merchant\":\"") != stage.population.merchant(operation.merchant)
            || identifier("\"card\":\"") != stage.population.card(operation.card)
            || identifier("\"customer\":\"") != stage.population.customer(operation.customer)
            || operation.charge.high != 0 && operation.charge != charge
        operation.charge = charge
        operation.entry = entry
        operation.cardBalance = integer("\"cardBalance\":{\"amount\":") ?? .min
        return true
    }
}
