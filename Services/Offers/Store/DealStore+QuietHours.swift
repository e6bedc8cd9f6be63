import Bus
import Contracts
import Primitives
import Storage

extension DealStore {
    /// Publishes the quiet hours that an earlier version stored, and forgets them. Facts: `QuietHoursMoved`, one for
    /// each customer. Call it before the first answer.
    package func moveQuietHours(at now: Timestamp) async throws(Fault) {
        try await write { transaction in
            let stored = try transaction.all("SELECT customer, body FROM preferences") { row in
                (customer: try row[0] as PartyID, preferences: try Offers.Preferences(json: try row[1] as [UInt8]))
            }
            for (customer, old) in stored {
                guard let from = old.quietFrom, let until = old.quietTo else { continue }
                // The same minute twice meant the whole day: nothing was sent at all.
                let kept = Offers.Preferences(
                    enabled: old.enabled && from != until, ads: old.ads, coupons: old.coupons, muted: old.muted,
                    perDay: old.perDay)
                try transaction.run("UPDATE preferences SET body = ? WHERE customer = ?", kept.json, customer)
                guard from != until else { continue }
                try transaction.publish(
                    Offers.QuietHoursMoved(
                        customer: customer, from: Int64(from), until: Int64(until),
                        offset: Int64(old.utcOffsetMinutes)), at: now, because: AskContext(deadline: now))
            }
        }
    }
}
