import Bus
import Contracts
import Primitives
import Storage

// Sends offers by themselves when their time has come. A crash between two groups loses nothing and sends nothing
// twice: the offer stays due, and `sends` has each customer once.

extension DealStore {
    /// Live offers whose time has come and that were not pushed yet, the longest due first. Those that are sent on
    /// entry are not among them.
    package func due(at now: Timestamp, limit: Int) async throws(Fault) -> [Offer] {
        try await read { transaction in
            try transaction.all(
                """
                SELECT offers.* FROM offers JOIN accounts ON account = merchant
                WHERE accepted = 'accepted' AND pushed IS NULL AND send_time <= ?1 AND expires >= ?1 AND enabled = 1
                    AND coalesce(status, 'approved') = 'approved'
                    AND coalesce(CAST(json_extract(CAST(terms AS TEXT), '$.sendOnEntry') AS INTEGER), 0) = 0
                ORDER BY send_time LIMIT ?2
                """, now, limit
            ) { try Offer($0) }
        }
    }

    /// Sends a due offer to the candidates whom the rules allow. Facts: `OfferSent`.
    ///
    /// - Returns: false if it was changed meanwhile; nothing was sent then.
    package func send(
        due offer: Offer, to candidates: [Candidate], at now: Timestamp
    ) async throws(Fault) -> Bool {
        try await write { [self] transaction in
            guard let current = try index({ index throws(Fault) in index.offer(offer.id) }), current.isLive,
                current.revision == offer.revision
            else { return false }
            let cause = AskContext(deadline: now)
            for candidate in candidates {
                _ = try send(current, to: candidate, because: .scheduled, at: now, cause, in: transaction)
            }
            return true
        }
    }

    /// Notes that a due offer was sent to all whom it is for.
    package func notePushed(_ offer: Offer, at now: Timestamp) async throws(Fault) {
        try await write { [self] transaction in
            guard var current = try Self.find(offer.id, in: transaction), current.revision == offer.revision else {
                return
            }
            current.pushed = now
            try transaction.run("UPDATE offers SET pushed = ? WHERE id = ?", now, offer.id)
            try recall(offer.id, in: transaction)
            note { $0.put(current) }
        }
    }
}
