import Bus
import Primitives

/// Does something for each of many, so many at a time; results in their order.
///
/// - Parameter done: called with the number of results so far, every 64 results.
package func pipelined<Item: Sendable, Result: Sendable>(
    _ items: [Item], width: Int, on bus: Bus, _ body: @escaping @Sendable (Item) async throws -> Result,
    done: (Int) -> Void = { _ in }
) async throws -> [Result] {
    var results = [Result?](repeating: nil, count: items.count)
    try await withThrowingTaskGroup(of: (Int, Result).self) { group in
        var count = 0
        for (place, item) in items.enumerated() {
            if place >= width, let (finished, result) = try await group.next() {
                results[finished] = result
                count += 1
                if count % 64 == 0 { done(count) }
            }
            group.addTask(executorPreference: bus.transport.executor) { (place, try await body(item)) }
        }
        while let (finished, result) = try await group.next() { results[finished] = result }
    }
    done(items.count)
    return results.compactMap(\.self)
}

extension Bus {
    /// For what an operator's command asks: patient, as the set may just be coming back.
    package var patient: AskContext { AskContext(deadline: clock.now() + .seconds(60)) }
}
