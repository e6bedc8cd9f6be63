import Dispatch
import Foundation

/// Ctrl-C and SIGTERM: the first ones end what is going on in good order, one more ends the process.
final class Interrupts: @unchecked Sendable {
    // `@unchecked`: the sources are made and cancelled by one task; their handlers run on one queue.
    private var sources: [any DispatchSourceSignal] = []
    private var count = 0

    /// - Parameter countMax: how many are handed on.
    init(
        _ numbers: [Int32] = [SIGINT, SIGTERM], atMost countMax: Int = 1, _ body: @escaping @Sendable () -> Void
    ) {
        let queue = DispatchQueue(label: "interrupts")
        for number in numbers {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { [self] in
                count += 1
                if count > countMax { exit(130) }
                body()
            }
            source.resume()
            sources.append(source)
        }
    }

    func end() { for source in sources { source.cancel() } }
}
