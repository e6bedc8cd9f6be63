import Contracts

extension ServiceStats {
    /// Routes that are kept apart where not all fit; half as many for each further try.
    private static let routesMax = 64
    private static let others = "other"

    /// The same in what fits into an answer: the routes that were used least are counted together, as `other`.
    func fitting() -> ServiceStats {
        var (stats, routesMax) = (self, Self.routesMax)
        while stats.json.count > FactsPage.bytesMax, routesMax > 0 {
            stats = keeping(routesMax)
            routesMax /= 2
        }
        return stats
    }

    private func keeping(_ routesMax: Int) -> ServiceStats {
        var uses: [String: Int64] = [:]
        for sample in metrics { if let route = sample.labels["route"] { uses[route, default: 0] += sample.count ?? 0 } }
        let kept = Set(uses.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(routesMax).map(\.key))
        var (samples, together) = ([Sample](), [Sample]())
        for var sample in metrics {
            guard let route = sample.labels["route"], !kept.contains(route) else {
                samples.append(sample)
                continue
            }
            sample = sample.labelled(route: Self.others)
            if let place = together.firstIndex(where: { $0.name == sample.name && $0.labels == sample.labels }) {
                together[place] = together[place].adding(sample)
            } else {
                together.append(sample)
            }
        }
        return ServiceStats(
            service: service, uptimeMilliseconds: uptimeMilliseconds, residentKiB: residentKiB,
            metrics: samples + together, version: version, instance: instance, processID: processID,
            startedAt: startedAt)
    }
}

extension ServiceStats.Sample {
    fileprivate func labelled(route: String) -> Self {
        var labels = labels
        labels["route"] = route
        return Self(name: name, kind: kind, labels: labels, value: value, count: count, buckets: buckets)
    }

    /// - Parameter other: of the same name, with the same bounds.
    fileprivate func adding(_ other: Self) -> Self {
        Self(
            name: name, kind: kind, labels: labels, value: value + other.value,
            count: count.map { $0 + (other.count ?? 0) },
            buckets: buckets.map {
                zip($0, other.buckets ?? []).map { .init(upTo: $0.upTo, count: $0.count + $1.count) }
            })
    }
}
