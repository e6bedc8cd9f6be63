import Audit
import Bus
import Contracts
import Primitives

/// What is known of a run's refunds, from the wallet's log, from payments' log, and from payments' charges.
package struct RefundEvidence: Sendable {
    /// The run's paid charges, by their places.
    package var paid: [PaidCharges.Paid]
    /// What the wallet published of each refund, by its entry.
    package var posted: [Int64: PostedRefund] = [:]
    /// What payments published, in the log's order.
    package var published: [PublishedRefund] = []
    /// What payments shows as paid back of each of the run's paid charges; absent where that is nothing.
    package var shown: [ChargeID: Int64] = [:]
    package var logFaults: [String] = []

    package init(paid: [PaidCharges.Paid]) { self.paid = paid }
}

/// A refund according to the wallet. Minor units.
package struct PostedRefund: Sendable, Equatable {
    package var payment: ChargeID
    package var merchant: AccountRef
    package var amount: Int64
    /// What was paid back of the payment in all.
    package var refunded: Int64

    package init(payment: ChargeID, merchant: AccountRef, amount: Int64, refunded: Int64) {
        self.payment = payment
        self.merchant = merchant
        self.amount = amount
        self.refunded = refunded
    }
}

/// A refund as its merchant and its customer are told. Minor units.
package struct PublishedRefund: Sendable, Equatable {
    package var charge: ChargeID
    package var merchant: AccountRef
    package var customer: PartyID
    package var amount: Int64
    package var refunded: Int64

    package init(charge: ChargeID, merchant: AccountRef, customer: PartyID, amount: Int64, refunded: Int64) {
        self.charge = charge
        self.merchant = merchant
        self.customer = customer
        self.amount = amount
        self.refunded = refunded
    }
}

extension EvidenceReader {
    /// What payments answers for at once.
    private static let chargesAtOnce = 100

    func readRefund(_ refund: Wallet.RefundPosted, into evidence: inout Evidence) {
        evidence.refunds?.posted[refund.entry] = PostedRefund(
            payment: refund.payment, merchant: merchant(refund.merchant), amount: refund.amount.amount,
            refunded: refund.refunded.amount)
    }

    /// Reads what payments has published and shows, once it has published as many refunds as the wallet has posted.
    func readRefunds(into evidence: inout Evidence, _ progress: Progress) async throws {
        guard var refunds = evidence.refunds else { return }
        let log = try await facts(
            Payments.ChargeRefunded.self, of: Payments.self, after: baseline.paymentsHead,
            expecting: refunds.posted.count, progress)
        refunds.logFaults = log.faults
        refunds.published = log.facts.map { published in
            PublishedRefund(
                charge: published.charge, merchant: merchant(published.merchant), customer: published.customer,
                amount: published.amount.amount, refunded: published.refunded.amount)
        }
        var asks: [Payments.ReadRefunds] = []
        for (merchant, paid) in Dictionary(grouping: refunds.paid, by: \.merchant) {
            for start in stride(from: 0, to: paid.count, by: Self.chargesAtOnce) {
                asks.append(
                    Payments.ReadRefunds(
                        party: population.merchant(merchant),
                        charges: paid[start..<min(paid.count, start + Self.chargesAtOnce)].map(\.charge)))
            }
        }
        let pages = try await pipelined(asks, width: 16, on: bus) { ask in
            try await bus.ask(ask, in: bus.patient).refunds
        } done: {
            progress("refunded charges", $0, asks.count)
        }
        for refund in pages.joined() { refunds.shown[refund.charge] = refund.refunded.amount }
        evidence.refunds = refunds
    }
}
