import Primitives
import Synchronization

/// The customers who have disabled payments, in memory: every payment checks them.
///
/// 16 bytes for each such customer; most never disable payments.
package final class DisabledCustomers: Sendable {
    private let customers: Mutex<Set<PartyID>>

    package init(_ customers: some Sequence<PartyID>) { self.customers = Mutex(Set(customers)) }

    package func contains(_ customer: PartyID) -> Bool { customers.withLock { $0.contains(customer) } }

    func note(_ customer: PartyID, enabled: Bool) {
        customers.withLock { customers in
            if enabled { customers.remove(customer) } else { customers.insert(customer) }
        }
    }
}
