import Contracts
import Primitives

/// Figures of all processes in the Prometheus text format 0.0.4, each labelled with its service.
enum PrometheusText {
    /// - Parameter missing: services that did not answer.
    static func of(_ services: [ServiceStats], missing: [String] = []) -> String {
        var families: [String: (kind: String, lines: [String])] = [:]
        func add(_ name: String, _ kind: String, _ lines: [String]) {
            families[name, default: (kind, [])].lines += lines
        }
        for name in missing { add("billfold_up", "gauge", ["\(labels(["service": name])) 0"]) }
        for service in services {
            let label = ["service": service.service]
            add("billfold_up", "gauge", ["\(labels(label)) 1"])
            add("billfold_uptime_seconds", "gauge", ["\(labels(label)) \(seconds(service.uptimeMilliseconds * 1000))"])
            add("billfold_resident_bytes", "gauge", ["\(labels(label)) \(service.residentKiB * 1024)"])
            for sample in service.metrics {
                let all = sample.labels.merging(label) { own, _ in own }
                add("billfold_" + safe(sample.name), sample.kind, lines(of: sample, all))
            }
        }
        return families.sorted { $0.key < $1.key }.map { name, family in
            let help = MetricHelp.texts[name].map { ["# HELP \(name) \($0)"] } ?? []
            return (help + ["# TYPE \(name) \(family.kind)"] + family.lines.map { name + $0 })
                .joined(separator: "\n")
        }.joined(separator: "\n") + "\n"
    }

    private static func lines(of sample: ServiceStats.Sample, _ all: [String: String]) -> [String] {
        // Durations are counted in microseconds; Prometheus wants seconds.
        let isDuration = sample.name.hasSuffix("_seconds") || sample.name.hasSuffix("_seconds_total")
        func shown(_ value: Int64) -> String { isDuration ? seconds(value) : "\(value)" }
        guard sample.kind == "histogram" else { return ["\(labels(all)) \(shown(sample.value))"] }
        let count = sample.count ?? 0
        let buckets = (sample.buckets ?? []).map { bucket in
            "_bucket\(labels(all.merging(["le": shown(bucket.upTo)]) { $1 })) \(bucket.count)"
        }
        return buckets + [
            "_bucket\(labels(all.merging(["le": "+Inf"]) { $1 })) \(count)",
            "_sum\(labels(all)) \(shown(sample.value))", "_count\(labels(all)) \(count)"
        ]
    }

    private static func labels(_ labels: [String: String]) -> String {
        "{" + labels.sorted { $0.key < $1.key }.map { "\($0.key)=\"\(escaped($0.value))\"" }.joined(separator: ",")
            + "}"
    }

    /// Microseconds as seconds.
    private static func seconds(_ microseconds: Int64) -> String { "\(Double(microseconds) / 1_000_000)" }

    private static func escaped(_ value: String) -> String {
        value.replacingScalar("\\", with: "\\\\").replacingScalar("\"", with: "\\\"")
            .replacingScalar("\n", with: "\\n")
    }

    /// Names of metrics have letters, digits and underscores.
    private static func safe(_ name: String) -> String {
        String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    }
}
