import Bus
import Contracts
import Primitives
import Storage

/// The data of notifications: inboxes, endpoints, settings, deliveries and cursors. Each function is one transaction,
/// durable when it returns. Inboxes, endpoints and deliveries are in extensions.
package struct NoticeStore: CursorStore {
    package let store: Store
    package let rules: DeliveryRules
    let incoming: IncomingNotices
    let recipients = Recipients()

    /// - Throws: as `Store.init`.
    package init(_ place: StorePlace, rules: DeliveryRules = .init()) throws {
        // Letters may contain secrets: deleted rows are overwritten with zeros.
        store = try Store(place, migrations: NoticeMigrations.all, erases: true)
        self.rules = rules
        incoming = IncomingNotices(rules)
        store.afterRollback { [incoming, recipients] in
            incoming.undone($0)
            recipients.undone()
        }
    }

    /// One transaction, as `Store.write`, with what it changes in the inboxes.
    @discardableResult
    package func change<Value: Sendable>(
        _ body: @escaping @Sendable (Transaction) throws -> Value
    ) async throws(Fault) -> Value {
        try await store.write { [incoming] transaction in
            incoming.begin()
            let value = try body(transaction)
            try incoming.settle(in: transaction)
            return value
        }
    }

    /// Stores the notices and deliveries that facts lead to, and moves the cursor. Facts: `NoticeAdded` for each
    /// notice.
    ///
    /// - Parameter letters: letters of the source. One that is stored already is not added again.
    /// - Returns: the deliveries to send.
    package func write(
        _ consumed: [ConsumedEvent], names: [PartyID: String], letters: [SendOrder], from source: String,
        through last: FactPosition, at now: Timestamp
    ) async throws(Fault) -> [Queued] {
        try await change { transaction in
            var queued: [Queued] = []
            var turns = ShortTurns()
            let before = try transaction.advance(source, to: last)
            let again = try transaction.value("SELECT through FROM read_again WHERE source = ?", source, as: Int64.self)
            for one in consumed {
                turns.mayEnd()
                guard let sequence = one.fact.sequence, sequence > before else { continue }
                let mayExist = sequence <= again ?? 0
                let cause = AskContext(from: one.fact)
                if case .credentialChanged(let change) = one.event,
                    [.password, .resetPassword, .restoredAddress].contains(change.credential)
                {
                    try forgetDoubtful(of: change.account, at: change.time, in: transaction)
                }
                if case .quietHoursMoved(let moved) = one.event { try adopt(moved, in: transaction) }
                for draft in one.notices(names: names) {
                    queued += try add(draft, mayExist: mayExist, because: cause, to: transaction, at: now)
                }
                if case .requested(let charge) = one.event,
                    let reason = try unpushed(charge, in: transaction, at: now),
                    let draft = one.notNotified(because: reason)
                {
                    queued += try add(draft, mayExist: mayExist, because: cause, to: transaction, at: now)
                }
                if case .reminderDue(let reminder) = one.event, let end = reminder.quietUntil {
                    try quietOffers(of: reminder.account, until: end, in: transaction)
                }
                if let (customer, link) = one.endedRequest {
                    try forgetPushes(of: customer, about: link, in: transaction)
                }
                if let message = one.hookMessage { queued += try add(message, to: transaction, at: now) }
            }
            for letter in letters {
                if case .recorded(let one?) = try record(letter, in: transaction, at: now) { queued.append(one) }
            }
            return queued
        }
    }

    /// Notices of facts that are applied again are looked for in their inboxes, and not made twice.
    package func setPosition(of source: String, to position: FactPosition) async throws(Fault) {
        try await store.write { transaction in
            let before = try transaction.position(of: source).sequence
            try transaction.setPosition(of: source, to: position)
            guard position.sequence < before else { return }
            try transaction.run(
                """
                INSERT INTO read_again (source, through) VALUES (?, ?) ON CONFLICT (source)
                    DO UPDATE SET through = max(read_again.through, excluded.through)
                """, source, before)
        }
    }

    /// Why a request is pushed to nobody before it ends; nil where it is.
    private func unpushed(
        _ charge: Payments.ChargeRequested, in transaction: Transaction, at now: Timestamp
    ) throws -> Unpushed? {
        let recipient = try recipients.recipient(charge.customer, in: transaction)
        let settings = recipient.settings
        guard settings.enabled else { return .off }
        switch settings.verdict(on: .request, at: now) {
        case .never: return .muted
        case .later(let end) where end >= charge.expires: return .quiet
        case .later, .now: break
        }
        return recipient.endpoints.contains { $0.channel.isPush } ? nil : .unregistered
    }

    /// Takes back what waits to be pushed of a request that has ended.
    private func forgetPushes(of customer: PartyID, about link: String, in transaction: Transaction) throws {
        for endpoint in try recipients.recipient(customer, in: transaction).pushes {
            try transaction.run(
                "DELETE FROM deliveries WHERE lane = ? AND state = 0 AND kind = ? AND link = ?", endpoint.id,
                Notifications.Kind.request.stored, link)
        }
    }
}
