import Checks
import Contracts
import Load
import LoadReport
import Primitives
import Testing

@Suite("paying with a coupon")
struct CouponScenarioTests {
    private let scenario = ScenarioList.all.first { $0.name == "coupon" }!
    private let population = Population(name: "test", customers: 4, cardsEach: 1, merchants: 3)
    private let stage: Stage

    init() {
        stage = Stage(
            driver: .bus, population: population, run: 7, started: Timestamp(milliseconds: 1_795_000_000_000),
            coupons: CouponBook(of: population, run: 9))
    }

    private func begun(_ number: Int, amount: Int = 50) -> LoadOperation {
        var operation = LoadOperation()
        (operation.card, operation.customer, operation.merchant, operation.amount) = (1, 1, 2, amount)
        scenario.choose(&operation, stage)
        operation.number = number
        operation.charge = stage.id(number)
        scenario.begin(&operation, stage)
        return operation
    }

    private func text(_ write: (RequestText) -> Void) -> String {
        let text = RequestText()
        write(text)
        return text.string
    }

    private func take(_ answer: String, _ operation: inout LoadOperation) -> Bool {
        var bytes = Array(answer.utf8)
        return bytes.withUnsafeMutableBytes {
            scenario.take(AnswerText(UnsafeRawBufferPointer($0)), of: 1, into: &operation, stage)
        }
    }

    @Test("asks are what payments takes: requested without, approved with the coupon, for the whole amount")
    func asks() throws {
        let operation = begun(1)
        let request = text { scenario.writeAsk(0, operation, stage, to: $0) }
        #expect(try Payments.RequestCharge(json: Array(request.utf8)).amount == Money(50))
        let approval = try Payments.ApproveCharge(
            json: Array(text { scenario.writeAsk(1, operation, stage, to: $0) }.utf8))
        #expect(approval.coupon == stage.coupons.id(.ample, of: 2) && approval.amount == Money(50))
        #expect(approval.coupon != nil)
        #expect(
            text { scenario.writeBody(1, operation, stage, to: $0) }.contains(#","coupon":"\#(approval.coupon!.hex)"}"#)
        )
    }

    @Test("charges without coupons say nothing of any")
    func without() {
        let charge = ScenarioList.all.first { $0.name == "charge" }!
        var operation = begun(8)
        operation.coupon = .none
        charge.begin(&operation, stage)
        #expect(operation.coupon == .none)
        #expect(!text { charge.writeAsk(1, operation, stage, to: $0) }.contains("coupon"))
    }

    @Test("whoever comes too late for the scarce coupon pays without; any other refusal is one")
    func late() throws {
        var operation = begun(8)
        #expect(operation.coupon == .scarce)
        #expect(!scenario.goesOn(after: "offers.coupon_not_usable", &operation, stage))
        #expect(scenario.goesOn(after: "offers.coupon_used_up", &operation, stage))
        let approval = text { scenario.writeAsk(1, operation, stage, to: $0) }
        #expect(try Payments.ApproveCharge(json: Array(approval.utf8)).coupon == nil)
        #expect(!scenario.goesOn(after: "offers.coupon_used_up", &operation, stage))
    }

    @Test("the receipt says what was paid and what came off, or is told as odd")
    func receipts() {
        func receipt(_ operation: LoadOperation, paid: Int, off: Int?, coupon: OfferID?) -> String {
            let receipt = Payments.Receipt(
                charge: operation.charge, customer: population.customer(1), card: population.card(1),
                merchant: population.merchant(2), merchantName: "Shop", amount: Money(Int64(paid)), memo: "",
                cardBalance: Money(7), entry: 3, time: Timestamp(milliseconds: 0), coupon: coupon,
                discount: off.map { Money(Int64($0)) })
            return String(decoding: receipt.json, as: UTF8.self)
        }
        let ample = stage.coupons.id(.ample, of: 2)
        var operation = begun(1)
        #expect(take(receipt(operation, paid: 40, off: 10, coupon: ample), &operation))
        #expect(!operation.receiptDiffers && operation.discount == 10)
        for (paid, off, coupon) in [
            (50, nil, nil), (41, 9, ample), (40, 9, ample), (40, 10, stage.coupons.id(.scarce, of: 2)), (40, nil, nil)
        ] as [(Int, Int?, OfferID?)] {
            var other = begun(1)
            #expect(take(receipt(other, paid: paid, off: off, coupon: coupon), &other))
            #expect(other.receiptDiffers)
        }
    }

    @Test("a coupon leaves something to pay and takes something off; its id says whose it is")
    func book() {
        let book = stage.coupons
        #expect(begun(1, amount: 1).amount == 2)
        #expect([2, 3, 7, 8, 50, 100].map { book.discount(.ample, off: $0) } == [1, 1, 1, 2, 10, 20])
        #expect(book.discount(.none, off: 50) == 0)
        for merchant in 0..<3 {
            for coupon in [CouponBook.Coupon.ample, .scarce] {
                let known = book.id(coupon, of: merchant).flatMap(book.coupon)
                #expect(known?.coupon == coupon && known?.merchant == merchant)
            }
        }
        #expect(book.coupon(CouponBook(of: population, run: 10).id(.ample, of: 1)!) == nil)
    }
}

/// Each way in which offers may be wrong about coupons is found by the check that is there for it, and named.
@Suite struct CouponChecksTests {
    /// The world's payments, all of them charges that were paid with the ample coupon; two with the scarce one.
    private struct Paid {
        var world = World()
        var coupons: CouponEvidence
        private static let scenario = UInt8(ScenarioList.names.firstIndex(of: "coupon")!)

        init() {
            let people = World.people
            coupons = CouponEvidence(book: CouponBook(of: people, run: 9))
            for number in 0..<10 {
                let paid = World.amount(number)
                // The least that was asked for, of which so much was left.
                let asked = (Int(paid)...).first { $0 - coupons.book.discount(.ample, off: $0) == Int(paid) }!
                let coupon: CouponBook.Coupon = number < 2 ? .scarce : .ample
                world.evidence.journal[number].scenario = Self.scenario
                world.evidence.journal[number].coupon = coupon
                world.evidence.journal[number].discount = UInt32(asked - Int(paid))
                let merchant = people.merchant(World.merchant(number))
                let customer = people.customer(World.card(number))
                let id = coupons.book.id(coupon, of: World.merchant(number))!
                coupons.requests.append(
                    ChargeRequest(
                        charge: World.charge(number), customer: customer, merchant: merchant, amount: Int64(asked)))
                coupons.captures[World.charge(number)] = CouponCapture(
                    order: Int64(number), customer: customer, merchant: merchant, amount: paid, coupon: id,
                    discount: Int64(asked) - paid, isRequested: true)
                coupons.redemptions.append(
                    Redemption(
                        charge: World.charge(number), coupon: id, customer: customer, merchant: merchant,
                        discount: Int64(asked) - paid))
            }
        }

        private var published: World {
            var world = world
            world.evidence.coupons = coupons
            return world
        }
        var verdict: MoneyVerdict { published.verdict }
        var failed: [String] { published.failed }
        func findings(_ check: String) -> String { published.findings(check) }
    }

    @Test func rightCouponsPass() {
        let paid = Paid()
        #expect(paid.failed == [])
        #expect(paid.verdict.checks.count == 19)
        for check in paid.verdict.checks { #expect(check.examined > 0, "\(check.name) looked at nothing") }
    }

    @Test func aLostRedemptionIsNamed() {
        var paid = Paid()
        paid.coupons.redemptions.remove(at: 4)
        #expect(paid.failed == ["coupons_redeemed"])
        #expect(
            paid.findings("coupons_redeemed").contains(
                "lost redemption: charge \(World.charge(4).hex) was captured with the ample coupon of merchant #0"))
        #expect(paid.verdict.headline == "The money is right, the coupons are not")
    }

    @Test func aSecondRedemptionIsNamed() {
        var paid = Paid()
        paid.coupons.redemptions.append(paid.coupons.redemptions[4])
        #expect(paid.findings("coupons_redeemed").contains("charge \(World.charge(4).hex) redeemed 2 coupons"))
    }

    @Test func aRedemptionWithoutItsChargeIsNamed() {
        var paid = Paid()
        paid.coupons.captures[World.charge(4)] = nil
        #expect(paid.findings("coupons_redeemed").contains("\(World.charge(4).hex), which is not captured"))
        paid = Paid()
        paid.coupons.captures[World.charge(4)]?.coupon = nil
        #expect(paid.findings("coupons_redeemed").contains("which was captured without one"))
        #expect(paid.findings("discounts_right").contains("and captured with none"))
    }

    @Test func anotherCouponOrDiscountIsNamed() {
        var paid = Paid()
        paid.coupons.redemptions[4].discount += 1
        #expect(paid.findings("coupons_redeemed").contains("redeemed was the ample coupon of merchant #0"))
        paid = Paid()
        paid.coupons.redemptions[4].coupon = OfferID(high: 5, low: 5)
        #expect(paid.findings("coupons_redeemed").contains("not of this run"))
        paid = Paid()
        paid.coupons.redemptions[4].customer = PartyID(high: 5, low: 5)
        #expect(paid.findings("coupons_redeemed").contains("by others"))
    }

    @Test func aWrongDiscountIsNamed() {
        var paid = Paid()
        paid.coupons.captures[World.charge(4)]!.discount += 1
        paid.coupons.redemptions[4].discount += 1
        #expect(paid.failed == ["discounts_right"])
        #expect(paid.findings("discounts_right").contains("charge \(World.charge(4).hex) (operation 4)"))
    }

    @Test func aCouponUsedTooOftenIsNamed() {
        var paid = Paid()
        for number in 0..<25 {
            var redemption = paid.coupons.redemptions[0]
            redemption.charge = ChargeID(high: 77, low: UInt64(number))
            paid.coupons.redemptions.append(redemption)
        }
        #expect(
            paid.findings("coupon_limits_kept").contains(
                "the scarce coupon of merchant #0 was redeemed 26 times, and may be used 25 times"))
    }

    @Test func whoIsTurnedAwayTooEarlyIsNamed() {
        var paid = Paid()
        // One who paid the whole of it, at a merchant whose coupon is far from used up.
        paid.world.evidence.journal[4].coupon = .none
        paid.world.evidence.journal[4].discount = 0
        paid.coupons.captures[World.charge(4)]!.coupon = nil
        paid.coupons.captures[World.charge(4)]!.discount = 0
        paid.coupons.redemptions.remove(at: 4)
        paid.coupons.requests[4].amount = World.amount(4)
        #expect(paid.failed == ["coupon_limits_kept"])
        #expect(paid.findings("coupon_limits_kept").contains("is used up, and it was paid with 1 times of 25"))
    }

    @Test func aCustomerWhoWasNotToldIsNamed() {
        var paid = Paid()
        paid.coupons.requests.remove(at: 4)
        #expect(paid.findings("customers_told").contains("was told 0 times of charge \(World.charge(4).hex)"))
        paid = Paid()
        paid.coupons.requests[4].amount -= 1
        #expect(paid.findings("customers_told").contains("with another amount, customer or merchant"))
        paid = Paid()
        paid.coupons.captures[World.charge(4)]!.isRequested = false
        #expect(paid.failed == ["customers_told"])
    }
}
