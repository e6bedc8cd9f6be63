import Contracts
import CoreMetrics
import Synchronization

/// Counts and times the asks that a service answers: `asks_seconds{type}` and `ask_faults_total{type,code}`.
final class AskMetrics: Sendable {
    private struct State {
        var timers: [String: CoreMetrics.Timer] = [:]
        var faults: [String: [String: CoreMetrics.Counter]] = [:]
    }
    private let state = Mutex(State())

    func observe(_ type: String, _ microseconds: Int64, _ fault: FaultCode?) {
        let timer = state.withLock { state in
            if let timer = state.timers[type] { return timer }
            let timer = CoreMetrics.Timer(label: "asks_seconds", dimensions: [("type", type)])
            state.timers[type] = timer
            return timer
        }
        timer.recordMicroseconds(microseconds)
        guard let fault else { return }
        state.withLock { state in
            if let counter = state.faults[type]?[fault.code] { return counter }
            let counter = CoreMetrics.Counter(
                label: "ask_faults_total", dimensions: [("type", type), ("code", fault.code)])
            state.faults[type, default: [:]][fault.code] = counter
            return counter
        }.increment()
    }
}
