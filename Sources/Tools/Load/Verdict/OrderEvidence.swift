import Audit
import Bus
import Contracts
import Primitives

/// What ordering knows of a run's orders, from its log.
package struct OrderEvidence: Sendable {
    /// Place of the scenario in the run's list.
    package var scenario: UInt8
    /// Orders that were published as paid, in the log's order.
    package var paid: [PaidOrder] = []
    package var logFaults: [String] = []

    package init(scenario: UInt8) { self.scenario = scenario }
}

/// An order that ordering published as paid. Minor units.
package struct PaidOrder: Sendable, Equatable {
    package var order: ChargeID
    package var number: Int64
    package var merchant: AccountRef
    package var customer: PartyID
    package var total: Int64
    package var entry: Int64

    package init(
        order: ChargeID, number: Int64, merchant: AccountRef, customer: PartyID, total: Int64, entry: Int64
    ) {
        self.order = order
        self.number = number
        self.merchant = merchant
        self.customer = customer
        self.total = total
        self.entry = entry
    }
}

extension EvidenceReader {
    /// Reads which orders were paid, once ordering has published all that were acknowledged.
    func readOrders(_ journal: Journal, _ progress: Progress) async throws -> OrderEvidence? {
        guard let start = baseline.orderingHead,
            let place = scenarios.firstIndex(where: { $0.name == OrderScenario().name })
        else { return nil }
        let expected = (0..<journal.count).count { number in
            Int(journal[number].scenario) == place && journal[number].outcome == .acknowledged
        }
        let log = try await facts(
            Ordering.OrderPaid.self, of: Ordering.self, after: start, expecting: expected, progress)
        var orders = OrderEvidence(scenario: UInt8(place))
        orders.logFaults = log.faults
        orders.paid = log.facts.map { paid in
            PaidOrder(
                order: paid.order.reinterpreted(), number: paid.number, merchant: merchant(paid.merchant),
                customer: paid.customer, total: paid.total.amount, entry: paid.entry)
        }
        return orders
    }
}
