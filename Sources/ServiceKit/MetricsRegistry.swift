import Contracts
import CoreMetrics
import Synchronization

/// This process's figures, counted through swift-metrics and read through `<service>.stats.read.v1`.
final class MetricsRegistry: MetricsFactory, Sendable {
    private struct Key: Hashable {
        let label: String
        let dimensions: [String]
        init(_ label: String, _ dimensions: [(String, String)]) {
            self.label = label
            self.dimensions = dimensions.flatMap { [$0.0, $0.1] }
        }
        var labels: [String: String] {
            var labels: [String: String] = [:]
            for index in stride(from: 0, to: dimensions.count, by: 2) {
                labels[dimensions[index]] = dimensions[index + 1]
            }
            return labels
        }
    }

    private struct Instruments {
        var counters: [Key: CountingHandler] = [:]
        var gauges: [Key: GaugeHandler] = [:]
        var histograms: [Key: HistogramHandler] = [:]
    }
    private let instruments = Mutex(Instruments())

    /// By name, and then by labels.
    var samples: [ServiceStats.Sample] {
        let instruments = instruments.withLock { $0 }
        var samples: [ServiceStats.Sample] = []
        for (key, counter) in instruments.counters {
            samples.append(
                .init(
                    name: key.label, kind: "counter", labels: key.labels, value: counter.value.load(ordering: .relaxed))
            )
        }
        for (key, gauge) in instruments.gauges {
            samples.append(
                .init(name: key.label, kind: "gauge", labels: key.labels, value: gauge.value.load(ordering: .relaxed)))
        }
        for (key, histogram) in instruments.histograms { samples.append(histogram.sample(key.label, key.labels)) }
        let places = samples.map { sample in
            [sample.name] + sample.labels.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
        }
        return zip(places, samples).sorted { $0.0.lexicographicallyPrecedes($1.0) }.map { $0.1 }
    }

    // MARK: MetricsFactory

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        instruments.withLock { $0.counters[Key(label, dimensions), makingWith: CountingHandler()] }
    }

    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        aggregate
            ? instruments.withLock { $0.histograms[Key(label, dimensions), makingWith: HistogramHandler(label)] }
            : instruments.withLock { $0.gauges[Key(label, dimensions), makingWith: GaugeHandler()] }
    }

    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        instruments.withLock { $0.gauges[Key(label, dimensions), makingWith: GaugeHandler()] }
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        instruments.withLock { $0.histograms[Key(label, dimensions), makingWith: HistogramHandler(label)] }
    }

    // Instruments stay: there are as many as there are labels in the code.
    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyMeter(_ handler: any MeterHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
}

extension Dictionary {
    fileprivate subscript(key: Key, makingWith make: @autoclosure () -> Value) -> Value {
        mutating get {
            if let value = self[key] { return value }
            let value = make()
            self[key] = value
            return value
        }
    }
}

private final class CountingHandler: CounterHandler {
    let value = Atomic<Int64>(0)
    func increment(by amount: Int64) { value.wrappingAdd(amount, ordering: .relaxed) }
    func reset() { value.store(0, ordering: .relaxed) }
}

private final class GaugeHandler: RecorderHandler, MeterHandler {
    let value = Atomic<Int64>(0)
    func record(_ value: Int64) { self.value.store(value, ordering: .relaxed) }
    func record(_ value: Double) { record(Int64(value)) }
    func set(_ value: Int64) { record(value) }
    func set(_ value: Double) { record(Int64(value)) }
    func increment(by amount: Double) { value.wrappingAdd(Int64(amount), ordering: .relaxed) }
    func decrement(by amount: Double) { value.wrappingSubtract(Int64(amount), ordering: .relaxed) }
}

/// What is named `…_seconds` in microseconds, all else as it is, counted by upper bound.
private final class HistogramHandler: TimerHandler, RecorderHandler {
    private static let durations: [Int64] = [
        50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000, 5_000_000
    ]
    /// Of groups: the largest has 256.
    private static let sizes: [Int64] = [1, 2, 4, 8, 16, 32, 64, 128, 256]

    private struct State {
        var sum: Int64 = 0
        var count: Int64 = 0
        var buckets: [Int64]
    }
    private let bounds: [Int64]
    private let state: Mutex<State>

    init(_ label: String) {
        bounds = label.hasSuffix("_seconds") ? Self.durations : Self.sizes
        state = Mutex(State(buckets: [Int64](repeating: 0, count: bounds.count)))
    }

    func recordNanoseconds(_ duration: Int64) { record(duration / 1000) }

    func record(_ value: Int64) {
        state.withLock { state in
            state.sum += value
            state.count += 1
            if let index = bounds.firstIndex(where: { value <= $0 }) { state.buckets[index] += 1 }
        }
    }

    func record(_ value: Double) { record(Int64(value)) }

    func sample(_ name: String, _ labels: [String: String]) -> ServiceStats.Sample {
        let state = state.withLock { $0 }
        var running: Int64 = 0
        let buckets = zip(bounds, state.buckets).map { bound, count in
            running += count
            return ServiceStats.Bucket(upTo: bound, count: running)
        }
        return .init(
            name: name, kind: "histogram", labels: labels, value: state.sum, count: state.count, buckets: buckets)
    }
}
