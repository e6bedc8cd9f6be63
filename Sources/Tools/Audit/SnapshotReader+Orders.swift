import Bus
import Contracts
import Primitives

/// What ordering publishes.
extension SnapshotReader {
    func readOrder(_ fact: Envelope, into snapshot: inout Snapshot) throws {
        switch fact.type {
        case Ordering.OrderPlaced.type.name:
            let placed = try Ordering.OrderPlaced(json: fact.data)
            snapshot.ordersPlaced.append(
                Snapshot.Order(
                    charge: placed.order.reinterpreted(), customer: placed.customer, merchant: placed.merchant,
                    total: placed.total.amount))
        case Ordering.OrderPaid.type.name:
            let paid = try Ordering.OrderPaid(json: fact.data)
            snapshot.ordersPaid.append(
                Snapshot.Order(
                    charge: paid.order.reinterpreted(), customer: paid.customer, merchant: paid.merchant,
                    total: paid.total.amount, entry: paid.entry))
        default: break
        }
    }

    /// How long ordering takes at most to learn of a payment whose answer was lost.
    private static let settling = Duration.seconds(20)

    /// Orders that were being paid when their facts were read.
    func readUnsettled(into snapshot: inout Snapshot) async throws {
        let paid = Set(snapshot.ordersPaid.map(\.charge))
        let posted = Set(
            snapshot.moves.compactMap { move -> ChargeID? in
                guard case .payment(let charge, _, _, _) = move.kind else { return nil }
                return charge
            })
        let end = bus.clock.now() + Self.settling
        for order in snapshot.ordersPlaced where posted.contains(order.charge) && !paid.contains(order.charge) {
            while true {
                let view = try await bus.ask(Ordering.ReadOrder(order: order.charge.reinterpreted()), in: bus.patient)
                if let entry = view.entry {
                    var found = order
                    found.entry = entry
                    snapshot.ordersPaid.append(found)
                }
                if view.state != .paying || bus.clock.now() >= end { break }
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }
}
