// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Primitives
import Wire

extension Broker {
    package static var summary: String { "The broker answers these itself, as a worker on its own bus: for operators. It cannot be replaced by registering under its name." }
}

extension Broker.ReadQueues {
    package init(
        _: Void = ()
    ) {
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
        ]
    }
}

extension Broker.ReadQueues.Reply: Shape {
    package init(
        instance: String,
        uptimeMilliseconds: Int64,
        services: [Broker.QueueStats],
        drops: [String: Int64],
        _: Void = ()
    ) {
        self.instance = instance
        self.uptimeMilliseconds = uptimeMilliseconds
        self.services = services
        self.drops = drops
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("instance", \.instance),
            Field("uptimeMilliseconds", \.uptimeMilliseconds),
            Field("services", \.services),
            Field("drops", \.drops, "How many messages were dropped, by reason."),
        ]
    }
}

extension Broker.QueueStats: Shape {
    package init(
        service: String,
        workers: Int,
        credit: Int,
        queued: Int,
        queuedBytes: Int,
        oldestMilliseconds: Int64,
        inFlight: Int,
        paused: Bool,
        asks: Int64,
        answers: Int64,
        _: Void = ()
    ) {
        self.service = service
        self.workers = workers
        self.credit = credit
        self.queued = queued
        self.queuedBytes = queuedBytes
        self.oldestMilliseconds = oldestMilliseconds
        self.inFlight = inFlight
        self.paused = paused
        self.asks = asks
        self.answers = answers
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("service", \.service),
            Field("workers", \.workers),
            Field("credit", \.credit, "Asks that its workers take at once, together."),
            Field("queued", \.queued),
            Field("queuedBytes", \.queuedBytes),
            Field("oldestMilliseconds", \.oldestMilliseconds, "How long the oldest waiting ask has waited."),
            Field("inFlight", \.inFlight),
            Field("paused", \.paused),
            Field("asks", \.asks),
            Field("answers", \.answers),
        ]
    }
}

extension Broker.ReadWorkers {
    package init(
        service: String? = nil,
        _: Void = ()
    ) {
        self.service = service
    }

    package static var summary: String { "The workers that are registered, those of one service or all." }
    package static var fields: [Field<Self>] {
        [
            Field("service", \.service),
        ]
    }
}

extension Broker.ReadWorkers.Reply: Shape {
    package init(
        workers: [Broker.WorkerStats],
        _: Void = ()
    ) {
        self.workers = workers
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("workers", \.workers, "By service, and within one in the order in which they came."),
        ]
    }
}

extension Broker.WorkerStats: Shape {
    package init(
        service: String,
        dialect: String,
        credit: Int,
        inFlight: Int,
        draining: Bool,
        connectedMilliseconds: Int64,
        silentMilliseconds: Int64,
        processID: Int? = nil,
        _: Void = ()
    ) {
        self.service = service
        self.dialect = dialect
        self.credit = credit
        self.inFlight = inFlight
        self.draining = draining
        self.connectedMilliseconds = connectedMilliseconds
        self.silentMilliseconds = silentMilliseconds
        self.processID = processID
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("service", \.service),
            Field("dialect", \.dialect, "`mdp01`, `mdp02`, `majortomo` or `billfold`."),
            Field("credit", \.credit, "Asks it takes at once."),
            Field("inFlight", \.inFlight),
            Field("draining", \.draining, "Has said goodbye, and finishes what it has."),
            Field("connectedMilliseconds", \.connectedMilliseconds, "Since its READY."),
            Field("silentMilliseconds", \.silentMilliseconds, "Since it was last heard of."),
            Field("processID", \.processID, "Absent over tcp and from another container: only the kernel's word counts."),
        ]
    }
}

extension Broker.PauseService {
    package init(
        service: String,
        forMilliseconds: Int64? = nil,
        by: String? = nil,
        _: Void = ()
    ) {
        self.service = service
        self.forMilliseconds = forMilliseconds
        self.by = by
    }

    package static var summary: String { "Holds a service's asks back in its queue until it is resumed; what its workers have, they finish. Asks of `try.` and the service's name are not held back." }
    package static var fields: [Field<Self>] {
        [
            Field("service", \.service),
            Field("forMilliseconds", \.forMilliseconds, "The pause ends by itself after so long, 1 to 300,000; absent: when it is resumed."),
            Field("by", \.by, "The holder of the pause; absent: an operator. The queue is held back until each holder's pause has ended."),
        ]
    }
}

extension Broker.ResumeService {
    package init(
        service: String,
        by: String? = nil,
        _: Void = ()
    ) {
        self.service = service
        self.by = by
    }

    package static var summary: String { "Ends a pause; `paused` says whether another one still holds the queue back." }
    package static var fields: [Field<Self>] {
        [
            Field("service", \.service),
            Field("by", \.by, "The holder of the pause; absent: an operator."),
        ]
    }
}

extension Broker.Paused: Shape {
    package init(
        service: String,
        paused: Bool,
        _: Void = ()
    ) {
        self.service = service
        self.paused = paused
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("service", \.service),
            Field("paused", \.paused),
        ]
    }
}
