import Dispatch
import Foundation
import Synchronization

/// Ctrl-C, SIGTERM and a terminal that is closed: the first ones end what is going on in good order, one more ends the
/// process.
final class Interrupts: @unchecked Sendable {
    // `@unchecked`: the sources are made and cancelled by one task; their handlers run on one queue.
    private var sources: [any DispatchSourceSignal] = []
    private let count = Atomic(0)

    /// Returns when none can be missed any more.
    ///
    /// - Parameters:
    ///   - countMax: how many are handed on.
    ///   - body: called with the signal's number.
    init(
        _ numbers: [Int32] = [SIGINT, SIGTERM, SIGHUP], atMost countMax: Int = 1,
        _ body: @escaping @Sendable (_ number: Int32) -> Void = { _ in }
    ) {
        let queue = DispatchQueue(label: "interrupts")
        let registered = DispatchGroup()
        // Under nohup(1) a command outlives its terminal.
        for number in numbers where number != SIGHUP || !Self.isIgnored(SIGHUP) {
            // A source of Dispatch replaces what the signal does, but on a thread of its own, a moment after `resume`.
            registered.enter()
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { [self] in
                if count.add(1, ordering: .acquiringAndReleasing).newValue > countMax { exit(128 + number) }
                body(number)
            }
            source.setRegistrationHandler { registered.leave() }
            source.resume()
            sources.append(source)
        }
        registered.wait()
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        let (now, ignore) = (action.__sigaction_handler.sa_handler, SIG_IGN)
        return unsafeBitCast(now, to: Int.self) == unsafeBitCast(ignore, to: Int.self)
    }

    /// Whether a signal asked for the end.
    var hasCome: Bool { count.load(ordering: .acquiring) > 0 }

    /// Returns when none has come; otherwise never, as `body` ends the process: what fails from then on fails because
    /// of it.
    func outlast() async {
        while hasCome { try? await Task.sleep(for: .seconds(1)) }  // cut short: looks again
    }

    func end() { for source in sources { source.cancel() } }
}
