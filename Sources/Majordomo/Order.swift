/// What the shell is to do with the message it just handed in, before it carries out the orders.
package enum Verdict {
    /// Nothing more: the message was for the broker itself, or was dropped and counted.
    case done
    /// A new ask: keep the body frames from `bodyStart` under `index`.
    case park(index: Int, bodyStart: Int)
    /// A worker's reply: send the body frames from `bodyStart` to the ask's client, then ``Router/finish(_:)``.
    case deliver(index: Int, bodyStart: Int, isPartial: Bool)
    /// Answer the sender at once with the fault's body.
    case refuse(Fault, ReturnAddress)
    /// Answer the sender at once with a code of 8/MMI.
    case inform(StaticString, ReturnAddress)
    /// Send PONG to the sender.
    case pong
    /// The sender is a worker from now on: ``Router/setProcess(_:of:)`` may say of which process.
    case registered
    /// Tell the sender whether it gets copies.
    case watching(Bool)
}

/// How to answer the message being handled. `service` is a view into its frames.
package struct ReturnAddress {
    package let dialect: Dialect
    package let service: UnsafeRawBufferPointer
    package let tag: UInt64

    init(_ incoming: Incoming) {
        dialect = incoming.dialect
        service = incoming.service
        tag = incoming.tag
    }
}

/// What the broker says to a worker beside asks.
package enum Notice: UInt8, Sendable {
    case heartbeat, disconnect, goodbye
}

/// Something to send that a message, a tick or a control call brought about. Carried out in order.
package enum Order: Sendable, Equatable {
    /// Send the parked body of `index` to the worker ``Router/takeOff(_:)`` names.
    case dispatch(index: Int)
    /// Send the fault to the ask's client, then ``Router/finish(_:)``.
    case refuse(index: Int, Fault)
    case notify(Peer, Dialect, Notice)
}

/// First in, first out, in memory that is kept: an order costs no allocation.
struct OrderQueue {
    private var orders: [Order] = []
    private var next = 0

    mutating func append(_ order: Order) { orders.append(order) }

    mutating func popFirst() -> Order? {
        guard next < orders.count else { return nil }
        let order = orders[next]
        next += 1
        if next == orders.count {
            orders.removeAll(keepingCapacity: true)
            next = 0
        }
        return order
    }
}
