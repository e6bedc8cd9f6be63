/// A peer that gets copies of asks and of their answers.
struct Tap {
    static let keyBytes = 32
    /// In the place of a service's name: all of them.
    static let all: StaticString = "*"

    var peer: Peer
    /// The service's name; empty: all.
    var service: [UInt8]
    var untilMs: Int64
}

/// What a COPY is a copy of.
package enum CopyKind: UInt8, Sendable {
    case ask = 1
    case answer = 2
    case partial = 3
    /// The broker's own refusal of an ask that it had taken in.
    case refusal = 4
}

/// Copies of what passes, for operators: the rest of the bus goes on as if nobody watched.
extension Router {
    /// Nobody gets copies.
    package var isUntapped: Bool { taps.isEmpty }

    /// Takes a WATCH: makes the peer a tap, or keeps it one.
    ///
    /// - Returns: `false` when the key is wrong or there are too many taps.
    mutating func watch(_ message: Incoming, _ frames: Frames, from peer: Peer) -> Bool {
        removeTaps { $0.peer == peer }
        guard isOperators(frames[0]), taps.count < limits.taps else { return false }
        peers.retain(peer)
        let service = message.service.equals(Tap.all) ? [] : [UInt8](message.service)
        taps.append(Tap(peer: peer, service: service, untilMs: now.monotonicMs + limits.tapSilenceMs))
        return true
    }

    /// In the same time whatever is wrong with it.
    private func isOperators(_ header: UnsafeRawBufferPointer) -> Bool {
        guard operatorKey.count == Tap.keyBytes else { return false }
        var difference: UInt8 = 0
        for index in 0..<Tap.keyBytes { difference |= operatorKey[index] ^ header[8 + index] }
        return difference == 0
    }

    /// The number under which copies of an ask of this service go out; 0: nobody wants them.
    mutating func copyNumber(of service: Int) -> UInt64 {
        guard taps.contains(where: { wants($0, service) }) else { return 0 }
        copiesMade += 1
        return copiesMade
    }

    private func wants(_ tap: Tap, _ service: Int) -> Bool {
        tap.service.isEmpty || services[service].name == tap.service
    }

    /// The peers that get copies of this ask and of its answer.
    package func tapsOf(_ index: Int) -> [Peer] {
        guard heldAsks[index].copy > 0 else { return [] }
        return taps.filter { wants($0, Int(heldAsks[index].service)) }.map(\.peer)
    }

    /// The frame before the body of a copy.
    package func writeCopy(_ kind: CopyKind, of index: Int, unixMicroseconds: UInt64, to frames: Outgoing) {
        let ask = heldAsks[index]
        services.withName(of: Int(ask.service)) {
            frames.writeCopy(
                kind, number: ask.copy, unixMicroseconds: unixMicroseconds, deadlineMs: ask.deadlineMs, service: $0)
        }
    }

    /// A copy could not be sent.
    package mutating func lostCopy(to peer: Peer, isGone: Bool) {
        counters.count(.copyLost)
        if isGone { removeTaps { $0.peer == peer } }
    }

    mutating func removeTaps(where isOver: (Tap) -> Bool) {
        for tap in taps where isOver(tap) { peers.release(tap.peer) }
        taps.removeAll(where: isOver)
    }
}
