import Contracts

/// What the tries of one ask say together.
///
/// After a try that may have done something, a refusal that says that nothing has happened is true of its own try only,
/// and one for which no time was left says less than the one before.
struct Doubt: Sendable {
    /// The fault of the first try that may have done something.
    private var fault: Fault?
    /// The fault of the last try.
    private var previous: Fault?

    /// Notes the fault of a try that is repeated.
    mutating func note(_ fault: Fault) {
        if self.fault == nil, fault.code.retry == .sameKey { self.fault = fault }
        previous = fault
    }

    /// The fault of all tries.
    ///
    /// - Parameter last: the fault of the last one.
    func fault(after last: Fault) -> Fault {
        guard last.code.retry == .later else { return last }
        return fault ?? (last.code == .deadlineExceeded ? previous : nil) ?? last
    }

    /// The outcome of all tries.
    ///
    /// - Parameter last: the outcome of the last one.
    func outcome(after last: Outcome) -> Outcome {
        switch last {
        case .reply: last
        case .fault(let fault): .fault(self.fault(after: fault))
        }
    }
}
