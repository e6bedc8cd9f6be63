import Primitives
import Synchronization

/// Customers who have disabled their payments (A18), at hand for every payment: the store's record of them, in memory.
///
/// 16 bytes a customer; most customers never disable anything.
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
