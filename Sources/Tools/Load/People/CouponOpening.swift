import Audit
import Bus
import Contracts
import Primitives

/// Makes what paying with coupons needs: coupons of each merchant that are accepted, and customers who subscribe to
/// them.
struct CouponOpening: Sendable {
    /// Each costs a commit of offers, a few hundred of which go together.
    package static let subscriptionsMax = 100_000
    private static let width = 256
    /// A merchant can have a thousand at once, and each run leaves two: they do not last.
    private static let lifetime = Duration.seconds(24 * 3600)
    /// How long offers may take to learn about new merchants.
    private static let patience = Duration.seconds(30)

    let bus: Bus
    let population: Population
    /// So many, from the first on, pay with coupons.
    let customers: Int
    let book: CouponBook

    func run(progress: (String, Int, Int) -> Void) async throws {
        try await greet()
        let (merchants, subscriptions) = (population.merchants, population.merchants * customers)
        // One customer first: an accepted coupon is sent to all who subscribe to it, which would be part of the load.
        try await subscribe(0..<min(merchants, subscriptions)) { _ in }
        _ = try await pipelined(Array(0..<merchants), width: Self.width, on: bus) { [self] merchant in
            for coupon in [CouponBook.Coupon.ample, .scarce] { try await open(coupon, of: merchant) }
        } done: {
            progress("coupons", $0, merchants)
        }
        try await subscribe(0..<subscriptions) { progress("subscriptions", $0, subscriptions) }
    }

    /// Each number is a customer and a merchant.
    private func subscribe(_ numbers: Range<Int>, progress: (Int) -> Void) async throws {
        let merchants = population.merchants
        _ = try await pipelined(Array(numbers), width: Self.width, on: bus) { [self] number in
            try await bus.ask(
                Offers.SetSubscription(
                    customer: population.customer(number / merchants),
                    merchant: population.merchant(number % merchants),
                    subscription: Offers.Subscription(ads: false, coupons: true)), in: bus.patient)
        } done: {
            progress($0)
        }
    }

    private func open(_ coupon: CouponBook.Coupon, of merchant: Int) async throws {
        guard let id = book.id(coupon, of: merchant) else { return }
        let offer = try await bus.ask(
            Offers.SubmitOffer(
                offer: id, kind: .coupon, merchant: population.merchant(merchant),
                terms: book.terms(coupon, ending: bus.clock.now() + Self.lifetime)), in: bus.patient
        ).offer
        _ = try await bus.ask(
            Offers.DecideOffer(offer: id, revision: offer.revision, accepted: .accepted, reason: nil), in: bus.patient)
        // Offers hears of merchants as auth tells it, and of none of theirs before that.
        let end = bus.clock.now() + Self.patience
        let ask = Offers.ReadDeal(customer: population.customer(0), offer: id)
        while true {
            if try await isUsable(ask), try await bus.ask(Offers.ReadOffer(offer: id), in: bus.patient).pushed != nil {
                break
            }
            guard bus.clock.now() < end else {
                throw LoadFailure("the coupons of merchant #\(merchant) cannot be used: is it approved?")
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    private func isUsable(_ ask: Offers.ReadDeal) async throws -> Bool {
        do throws(Fault) {
            return try await bus.ask(ask, in: bus.patient).usable
        } catch  where error.code == .offerNotFound {
            return false
        }
    }

    private func greet() async throws {
        do {
            _ = try await bus.ask(
                ReadFacts<Offers>(after: .max - 1, limit: 1), in: AskContext(deadline: bus.clock.now() + .seconds(3)))
        } catch {
            throw LoadUnreachable("offers does not answer, and coupons need it: is it running?")
        }
    }
}
