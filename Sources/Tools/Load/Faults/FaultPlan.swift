import Contracts
import LoadReport

/// What is done to the set's processes while the load runs, and when. A pure value.
package struct FaultPlan: Sendable, Equatable {
    package struct Fault: Sendable, Equatable {
        package enum Kind: Sendable, Equatable {
            /// SIGKILL; started again unless the set's launcher does it.
            case kill
            /// SIGSTOP for so long, then SIGCONT.
            case stop(Span)
        }

        package let kind: Kind
        /// A process's name, or `all`.
        package let target: String
        /// The first time; nil: after one interval, or in the middle where there is none.
        package let at: Span?
        package let every: Span?

        package init(kind: Kind, target: String, at: Span? = nil, every: Span? = nil) {
            self.kind = kind
            self.target = target
            self.at = at
            self.every = every
        }

        package var description: String {
            var text: String
            switch kind {
            case .kill: text = "kill \(target)"
            case .stop(let span): text = "stop \(target) for \(span)"
            }
            if let at { text += " at \(at)" }
            if let every { text += " every \(every)" }
            return text
        }
    }

    package struct Event: Sendable, Equatable {
        package let offset: Span
        package let fault: Fault

        package init(offset: Span, fault: Fault) {
            self.offset = offset
            self.fault = fault
        }
    }

    /// The names of a set's processes.
    package static let processes = Catalogue.services.map { $0.service }

    package var faults: [Fault]

    package init(faults: [Fault] = []) { self.faults = faults }

    /// Reads `kill wallet every 5s` or `stop broker for 2s at 3s`.
    package static func fault(_ text: String) throws(LoadUsageError) -> Fault {
        var words = text.split(separator: " ").map(String.init)[...]
        let usage = LoadUsageError(
            "'\(text)' is not a fault, as 'kill wallet every 5s' or 'stop broker for 2s at 3s'")
        guard let verb = words.popFirst(), let target = words.popFirst() else { throw usage }
        var spans: [String: Span] = [:]
        while let word = words.popFirst() {
            guard ["for", "at", "every"].contains(word), spans[word] == nil,
                let span = words.popFirst().flatMap(Span.init)
            else { throw usage }
            spans[word] = span
        }
        return try fault(verb, target, for: spans["for"], at: spans["at"], every: spans["every"])
    }

    package static func fault(
        _ verb: String, _ target: String, for length: Span?, at: Span?, every: Span?
    ) throws(LoadUsageError) -> Fault {
        if let every, every.seconds < 0.5 { throw LoadUsageError("a fault can come every 500ms at most") }
        switch (verb, length) {
        case ("kill", nil): return Fault(kind: .kill, target: target, at: at, every: every)
        case ("kill", _): throw LoadUsageError("what is killed is killed for good: 'for' goes with stop")
        case ("stop", let length?):
            if let every, every.nanoseconds <= length.nanoseconds {
                throw LoadUsageError("stopped for \(length) every \(every), \(target) would never run")
            }
            return Fault(kind: .stop(length), target: target, at: at, every: every)
        case ("stop", nil): throw LoadUsageError("for how long is \(target) to be stopped? Say for 2s")
        default: throw LoadUsageError("'\(verb)' is not a fault; there are kill and stop")
        }
    }

    /// Refuses faults that can never happen.
    ///
    /// - Parameter given: names of processes that the user has given.
    package func check(within length: Span, given: [String]) throws(LoadUsageError) {
        let known = Self.processes + given
        for fault in faults where fault.target != "all" && !known.contains(fault.target) {
            throw LoadUsageError(
                "there is no process '\(fault.target)'; there are \(known.joined(separator: ", ")), and all for all of them"
            )
        }
        for fault in faults where FaultPlan(faults: [fault]).events(within: length).isEmpty {
            throw LoadUsageError("'\(fault.description)' never happens: the load lasts \(length), with its warm-up")
        }
    }

    /// All that happens within a run of so long, in order.
    package func events(within length: Span) -> [Event] {
        faults.flatMap { fault in
            let first = fault.at ?? fault.every ?? Span(nanoseconds: length.nanoseconds / 2)
            var offsets: [UInt64] = []
            var next = first.nanoseconds
            while next < length.nanoseconds {
                offsets.append(next)
                guard let every = fault.every else { break }
                next += every.nanoseconds
            }
            return offsets.map { Event(offset: Span(nanoseconds: $0), fault: fault) }
        }.sorted { $0.offset.nanoseconds < $1.offset.nanoseconds }
    }
}
