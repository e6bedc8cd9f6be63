import Primitives

/// What the event streams of a run's apps have told.
package struct StreamEvidence: Sendable {
    package struct Told: Hashable, Sendable {
        package let charge: ChargeID
        package let stream: Int

        package init(charge: ChargeID, stream: Int) {
            self.charge = charge
            self.stream = stream
        }
    }

    package let streams: Int
    private let customers: Int
    /// Which stream has told of which request for money, and when it arrived: monotonic nanoseconds.
    package private(set) var told: [Told: UInt64] = [:]
    package private(set) var toldTwice: [Told] = []
    /// How often one broke off, and was opened again.
    package var broken = 0

    package init(streams: Int, customers: Int) {
        self.streams = streams
        self.customers = customers
    }

    package mutating func tell(_ charge: ChargeID, on stream: Int, at now: UInt64 = 0) {
        let one = Told(charge: charge, stream: stream)
        guard told[one] == nil else { return toldTwice.append(one) }
        told[one] = now
    }

    package func customer(ofStream stream: Int) -> Int { stream % customers }

    /// The streams of a customer's apps.
    package func streams(ofCustomer customer: Int) -> StrideTo<Int> {
        stride(from: customer, to: customer < customers ? streams : 0, by: customers)
    }
}
