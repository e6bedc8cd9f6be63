import Bus
import Foundation
import Primitives
import Synchronization
import ZMTP

/// Copies of asks and of their answers, as they pass through the broker (docs/frames.md, "Copies").
///
/// Asks carry PINs, passwords and positions: only a reader of the broker's `operator.key` gets any, and the caller
/// chooses what it shows of them.
package enum AskTap {
    package enum Kind: UInt8, Sendable {
        case ask = 1
        case answer = 2
        case partial = 3
        /// The broker's own refusal.
        case refusal = 4
    }

    package struct Copy: Sendable {
        package let kind: Kind
        /// The same for an ask and its answer, since the broker's start.
        package let number: UInt64
        /// When the broker passed it on, by its clock.
        package let unixMicroseconds: UInt64
        /// Of the ask; nil when it has none.
        package let deadline: Timestamp?
        package let service: String
        /// The body, when it is one frame of an envelope's size; else empty.
        package let body: [UInt8]
    }

    /// Why no copies come, or none any more.
    package enum Failure: Error, Equatable, CustomStringConvertible {
        case noKey(path: String)
        case refused
        case noBroker
        case brokerGone

        package var description: String {
            switch self {
            case .noKey(let path): "\(path) cannot be read: only the broker's own user may watch asks"
            case .refused: "the broker gives no copies: its key is another, or too many watch"
            case .noBroker: "no broker answers"
            case .brokerGone: "the broker is gone"
            }
        }
    }

    /// Copies that wait for the reader; more are dropped, so that a slow reader does not delay the bus.
    package static let bufferMax = 16_384
    /// How often WATCH is renewed; the broker forgets a watcher after 10 s.
    private static let renewMilliseconds: Int64 = 2_000
    /// Each WATCH is answered: a broker that answers none for so long is gone, or another one that knows another key.
    private static let goneMilliseconds: Int64 = 10_000
    /// How long the broker may take to say whether it gives copies.
    static let patienceMilliseconds: Int64 = 3_000

    /// The file that the broker keeps its key in.
    package static func keyFile(inRunDirectory directory: String) -> String { "\(directory)/operator.key" }

    /// Where the key is if nobody says otherwise; nil for a broker on another host. NATS has no key: an account's
    /// rights say who may subscribe to asks.
    package static func keyFile(of bus: BusAddress) -> String? {
        switch bus {
        case .directory(let directory): keyFile(inRunDirectory: directory)
        case .host: nil
        case .nats: ""
        }
    }

    /// Watches a service, or all of them, until the stream's reader ends.
    ///
    /// - Throws: when the key cannot be read. The stream throws ``Failure`` when the broker refuses or does not answer.
    package static func copies(
        of service: String?, on bus: BusAddress, keyFile: String
    ) throws -> AsyncThrowingStream<Copy, any Error> {
        if case .nats(let access) = bus { return try copies(of: service, on: access) }
        guard let key = FileManager.default.contents(atPath: keyFile), key.count == 32 else {
            throw Failure.noKey(path: keyFile)
        }
        let watch = PeerFrames.watch(service: service ?? "*", key: Array(key))
        let end = try End()
        return AsyncThrowingStream(bufferingPolicy: .bufferingOldest(bufferMax)) { continuation in
            continuation.onTermination = { _ in end.come() }
            OSThread {
                do { try run(watch, on: bus, until: end) { continuation.yield($0) } } catch {
                    continuation.finish(throwing: error)
                }
                continuation.finish()
            }.detach()
        }
    }

    /// The end of the stream, signalled to the thread.
    final class End: Sendable {
        private let flag = Atomic(false)
        let wakeup: Wakeup

        init() throws { wakeup = try Wakeup() }

        var hasCome: Bool { flag.load(ordering: .acquiring) }

        func come() {
            flag.store(true, ordering: .releasing)
            wakeup.ring()
        }
    }

    private static func run(_ watch: [UInt8], on bus: BusAddress, until end: End, take: (Copy) -> Void) throws {
        let port = try bus.openAsks(lingerMilliseconds: 0)
        let poller = Poller([port.descriptor, end.wakeup.readEnd])
        var isGranted = false
        var patience = monotonicNanoseconds() + UInt64(patienceMilliseconds) * 1_000_000
        var renewal: UInt64 = 0
        while !end.hasCome {
            let now = monotonicNanoseconds()
            guard now < patience else { throw isGranted ? Failure.brokerGone : Failure.noBroker }
            if now >= renewal {
                let isSent = port.send(watch, body: nil)
                renewal = now + UInt64(!isSent ? 10 : isGranted ? renewMilliseconds : 100) * 1_000_000
            }
            port.turn(now)
            var isRefused = false
            while port.receive({ frames in
                switch PeerFrames.readCopy(frames[0]) {
                case .watching(let granted):
                    isRefused = isRefused || !granted
                    isGranted = isGranted || granted
                    patience = now + UInt64(goneMilliseconds) * 1_000_000
                case .copy(let kind, let number, let microseconds, let deadline, let service):
                    take(
                        Copy(
                            kind: kind, number: number, unixMicroseconds: microseconds, deadline: deadline,
                            service: service, body: frames.body.map { [UInt8]($0) } ?? []))
                case nil: break
                }
            }) {}
            guard !isRefused else { throw Failure.refused }
            poller.watch(0, port.descriptor, events: port.events)
            let until = min(renewal, port.nextTurn)
            poller.wait(milliseconds: Int64(clamping: (until - min(until, monotonicNanoseconds())) / 1_000_000 + 1))
        }
    }
}
