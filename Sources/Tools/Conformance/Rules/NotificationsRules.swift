import Bus
import Contracts
import Primitives

/// Cases of the rules of notifications.
enum NotificationsRules {
    static let all: [Case] = [inbox, kinds, deliveries, settings, deadLetters]

    private static let patience = Trial.factPatience

    /// The newest notices, when there are so many in all.
    static func notices(
        of account: PartyID, _ count: Int64, _ trial: Trial
    ) async throws -> [Notifications.NoticeView] {
        let end = ContinuousClock.now + patience
        while true {
            let inbox = try await trial.asker.ask(Notifications.ReadInbox(account: account, limit: 100))
            try require(inbox.head <= count, "an inbox has \(inbox.head) notices, and should have \(count)")
            if inbox.head == count { return inbox.notices }
            guard ContinuousClock.now < end else {
                throw Wrong("an inbox has \(inbox.head) notices after \(patience), and should have \(count)")
            }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    private static let inbox: Case = Case(
        "notifications/inbox",
        "notices have numbers from 1 without a gap, are read in both directions in pages, and count as unread until "
            + "they are marked",
        .changing
    ) { trial in
        let customer = try await trial.world.newAccount(.customer)
        let merchant = try await trial.world.merchant()
        for number in 1...5 {
            _ = try await trial.world.request(Int64(number), of: customer, by: merchant)
            _ = try await notices(of: customer, Int64(number), trial)
        }
        let all = try await notices(of: customer, 5, trial)
        try require(all.map(\.number) == [5, 4, 3, 2, 1], "the numbers of notices are \(all.map(\.number))")
        try require(Set(all.map(\.notice)).count == 5, "two notices have one id")
        func read(
            _ before: Int64?, _ after: Int64?, unread: Bool? = nil, limit: Int = 2
        ) async throws -> Notifications.ReadInbox.Reply {
            try await trial.asker.ask(
                Notifications.ReadInbox(account: customer, before: before, after: after, unread: unread, limit: limit))
        }
        let marked = try await trial.asker.ask(
            Notifications.MarkNotice(account: customer, notice: all[1].notice))
        try require(marked.number == 4 && marked.read != nil, "another notice is marked")
        let pages: [(before: Int64?, after: Int64?, unread: Bool?, numbers: [Int64], next: Int64?)] = [
            (nil, nil, nil, [5, 4], 4), (4, nil, nil, [3, 2], 2), (2, nil, nil, [1], nil), (nil, 0, nil, [1, 2], 2),
            (nil, 2, nil, [3, 4], 4), (nil, 4, nil, [5], nil), (nil, nil, true, [5, 3], 3), (3, nil, true, [2, 1], nil)
        ]
        // A page may be wrong once in fifty.
        for _ in 0..<32 {
            for page in pages {
                let reply = try await read(page.before, page.after, unread: page.unread)
                try require(
                    reply.notices.map(\.number) == page.numbers && reply.next == page.next,
                    "a page has \(reply.notices.map(\.number)) and next \(reply.next ?? 0), not \(page.numbers) and "
                        + "\(page.next ?? 0)")
                try require(
                    reply.head == 5 && reply.unread == 4, "4 of 5 unread count as \(reply.unread) of \(reply.head)")
            }
        }
        for notice in all {
            let alone = try await trial.asker.ask(
                Notifications.ReadNotice(account: customer, notice: notice.notice))
            try require(
                alone.number == notice.number && alone.text == notice.text
                    && (alone.read != nil) == (alone.number == 4),
                "notice \(notice.number) reads otherwise alone")
        }
        try await trial.expect(
            Notifications.ReadNotice(account: trial.world.id(), notice: all[0].notice), refusedWith: .noticeNotFound,
            when: "for another account")
        let facts = try await trial.log?.facts(after: 0).filter { $0.names(any: [customer.hex]) } ?? []
        let added = try facts.filter { $0.type == Notifications.NoticeAdded.type.name }.map {
            try Notifications.NoticeAdded(json: Array($0.data.text.utf8))
        }
        try require(
            added.map(\.number) == [1, 2, 3, 4, 5] && added.map(\.notice) == all.reversed().map(\.notice)
                && added.map(\.time) == all.reversed().map(\.time) && added.allSatisfy { $0.kind == .request },
            "the facts of five notices are \(added.map(\.number))")
    }

    private static let kinds: Case = Case(
        "notifications/kinds",
        "each party of a charge is told of a request, a payment, an end without one and a refund, and of nothing else",
        .changing
    ) { trial in
        let world = trial.world
        let merchant = try await world.newAccount(.merchant)
        _ = try await world.ask(Wallet.OpenAccount(merchant: merchant))
        let own = try await world.newCard(of: try await world.newAccount(.customer))
        // A customer without any registration cannot be pushed to, which its merchant is told too.
        let isReachable = !trial.missing.contains(Notifications.AddEndpoint.type)
        if isReachable {
            _ = try await trial.asker.ask(
                Notifications.AddEndpoint(
                    endpoint: world.id(), account: own.customer, type: 1, address: "check-\(world.id() as EndpointID)"))
        }
        // A new merchant is told the decision on it, early or late.
        let others: [Notifications.Kind] = isReachable ? [.decision] : [.decision, .request]
        func expect(_ account: PartyID, _ kinds: [Notifications.Kind]) async throws {
            let end = ContinuousClock.now + patience
            while true {
                let inbox = try await trial.asker.ask(Notifications.ReadInbox(account: account, limit: 100))
                let had = inbox.notices.reversed().map(\.kind)
                    .filter { account != merchant || !others.contains($0) }
                if had == kinds { return }
                guard had.count < kinds.count, ContinuousClock.now < end else {
                    throw Wrong(
                        "an inbox has the notices \(had.map(\.rawValue)), and should have \(kinds.map(\.rawValue))")
                }
                try await Task.sleep(for: .milliseconds(10))
            }
        }
        let paid = try await world.request(200, of: own.customer, by: merchant)
        try await expect(own.customer, [.request])
        _ = try await world.ask(
            Payments.ApproveCharge(charge: paid.charge, customer: own.customer, card: own.card, amount: paid.amount))
        try await expect(merchant, [.payment])
        let declined = try await world.request(300, of: own.customer, by: merchant)
        try await expect(own.customer, [.request, .request])
        _ = try await world.ask(Payments.DeclineCharge(charge: declined.charge, customer: own.customer))
        try await expect(merchant, [.payment, .closing])
        _ = try await world.ask(
            Payments.RefundCharge(refund: world.id(), charge: paid.charge, merchant: merchant, amount: Money(50)))
        try await expect(own.customer, [.request, .request, .refund])
        try await expect(merchant, [.payment, .closing, .refund])
    }

    private static let deliveries: Case = Case(
        "notifications/deliveries",
        "what was sent, or could not be, is told with its notice, account and channel, and reads the same as a delivery",
        .changing, type: Notifications.ReadDelivery.type
    ) { trial in
        let world = trial.world
        let account = try await world.newAccount(.customer)
        let address = "check-\(world.id() as EndpointID)"
        _ = try await trial.asker.ask(
            Notifications.AddEndpoint(endpoint: world.id(), account: account, type: 1, address: address))
        let push = Notifications.SendNotification(
            notice: world.id(), type: 1, registrationId: address, message: "Conformance")
        _ = try await trial.asker.ask(push)
        let letter = Notifications.SendMail(
            notice: world.id(), to: "check@billfold.invalid", subject: "Conformance", text: "A letter of the kit.",
            expires: world.now + .seconds(60))
        _ = try await trial.asker.ask(letter)
        let inbox = try await notices(of: account, 1, trial)
        try require(
            inbox[0].kind == .message && inbox[0].notice == push.notice && inbox[0].text == push.message,
            "a message is in the inbox as \(inbox[0].kind) with another id or text")
        for (notice, account, channel) in [(push.notice, account as PartyID?, Int64(1)), (letter.notice, nil, 5)] {
            let end = try await ended(notice, trial)
            try require(
                end.notice == notice && end.account == account && end.channel == channel,
                "the end of a delivery names notice \(end.notice?.hex ?? "none"), account "
                    + "\(end.account?.hex ?? "none") and channel \(end.channel)")
            // A reading may be wrong once in fifty.
            for _ in 0..<64 {
                let read = try await trial.asker.ask(Notifications.ReadDelivery(delivery: end.delivery)).delivery
                try require(
                    read.delivery == end.delivery && read.notice == notice && read.account == account
                        && read.type == channel && read.attempts == end.attempts && read.finished == end.time,
                    "a delivery reads otherwise than its end was told")
            }
        }
        _ = try await trial.asker.ask(push)
        _ = try await trial.asker.ask(letter)
        // A repeat that is sent again is sent before a later letter.
        let later = Notifications.SendMail(
            notice: world.id(), to: letter.to, subject: letter.subject, text: "The next one.", expires: letter.expires)
        _ = try await trial.asker.ask(later)
        _ = try await ended(later.notice, trial)
        for notice in [push.notice, letter.notice] {
            try require(try await ends(of: notice, trial).count == 1, "a notice that is repeated is sent again")
        }
    }

    /// A payment to a merchant whose web hook leads to this host: nobody may make a service call itself.
    private static func failed(_ trial: Trial, after start: Int64) async throws -> Notifications.NoticeFailed {
        let world = trial.world
        let merchant = try await world.newAccount(.merchant)
        _ = try await world.ask(Wallet.OpenAccount(merchant: merchant))
        _ = try await trial.asker.ask(
            Notifications.AddEndpoint(
                endpoint: world.id(), account: merchant, type: 4, address: "https://localhost/check"))
        let own = try await world.card()
        _ = try await world.ask(
            Payments.CreatePayment(
                charge: world.id(), customer: own.customer, card: own.card, merchant: merchant, amount: .cent,
                memo: "Rule"))
        return try await trial.fact(Notifications.NoticeFailed.self, after: start) { $0.account == merchant }
    }

    private static let deadLetters: Case = Case(
        "notifications/dead-letters",
        "what cannot be sent is told, listed, sent again only by who may, and is forgotten when it is discarded",
        .changing, type: Notifications.ReadDeadLetters.type
    ) { trial in
        let start = try await trial.head()
        let end: Notifications.NoticeFailed = try await failed(trial, after: start)
        try require(end.channel == 4, "the end of a call of a web hook has channel \(end.channel)")
        func read() async throws -> Notifications.DeliveryView {
            let reply = try await trial.asker.ask(Notifications.ReadDelivery(delivery: end.delivery))
            return reply.delivery
        }
        func listed() async throws -> Notifications.DeliveryView? {
            let reply = try await trial.asker.ask(Notifications.ReadDeadLetters(before: nil, limit: 100))
            return reply.deliveries.first { $0.delivery == end.delivery }
        }
        let dead = try await read()
        try require(
            dead.state == .dead && dead.account == end.account && dead.type == 4 && dead.attempts == end.attempts
                && dead.reason == end.reason && dead.finished == end.time && dead.notice == end.notice,
            "a dead letter reads otherwise than its end was told")
        try require(try await listed() == dead, "a dead letter is not listed as it reads")
        let (replay, discard) = (
            Notifications.ReplayDelivery(delivery: end.delivery), Notifications.DiscardDelivery(delivery: end.delivery)
        )
        try await refuseAll(replay, trial)
        try await refuseAll(discard, trial)
        let now = try await read()
        try require(now == dead, "a replay or discard that was refused was done all the same")
        let queued = try await trial.asker.ask(replay)
        try require(
            queued.delivery == dead.delivery && queued.number == dead.number && queued.notice == dead.notice,
            "another delivery is sent again")
        let again = try await trial.fact(Notifications.NoticeFailed.self, after: start, count: 2) {
            $0.delivery == end.delivery
        }
        let later = try await read()
        try require(
            later.state == .dead && later.finished == again.time && later.attempts == again.attempts,
            "a dead letter that was sent again reads otherwise than its end was told")
        try require(try await trial.asker.ask(discard).discarded, "a dead letter is not discarded")
        try await trial.expect(
            Notifications.ReadDelivery(delivery: end.delivery), refusedWith: .deliveryNotFound, when: "discarded")
        try require(try await listed() == nil, "a dead letter is listed after it was discarded")
        try require(try await !trial.asker.ask(discard).discarded, "a dead letter is discarded twice")
    }

    /// Asks too late, for a customer, and with an unknown field.
    private static func refuseAll<A: Ask>(_ ask: A, _ trial: Trial) async throws {
        let (customer, merchant) = (try await trial.world.customer(), try await trial.world.merchant())
        let manners: [(Asker.Manner, FaultCode)] = [
            (.init(expires: trial.asker.now + .seconds(-1)), .deadlineExceeded),
            (.init(actor: Actor(role: .customer, party: customer)), .forbidden),
            (.init(actor: Actor(role: .merchant, party: merchant)), .forbidden)
        ]
        for (manner, code) in manners {
            guard case .fault(let fault) = try await trial.asker.answer(ask, manner), fault.code == code else {
                throw Wrong("\(A.type) is not refused with \(code)")
            }
        }
        for variant in Malformed.variants(of: ask) {
            let answer = try await trial.asker.answer(
                A.type, data: variant.data, faults: A.faults, .init(mayBeUnreadable: true))
            guard case .fault(let fault) = answer, fault.code == .malformed else {
                throw Wrong("data \(variant.what) is answered with \(answer.words), not with bus.malformed")
            }
        }
    }

    struct End: Sendable {
        let isDelivered: Bool
        let delivery: DeliveryID
        let notice: NoticeID?
        let account: PartyID?
        let channel, attempts: Int64
        let time: Timestamp

        init(_ told: Notifications.NoticeDelivered) {
            (isDelivered, delivery, notice, account) = (true, told.delivery, told.notice, told.account)
            (channel, attempts, time) = (told.channel, told.attempts, told.time)
        }

        init(_ told: Notifications.NoticeFailed) {
            (isDelivered, delivery, notice, account) = (false, told.delivery, told.notice, told.account)
            (channel, attempts, time) = (told.channel, told.attempts, told.time)
        }
    }

    /// The facts that end deliveries of a notice.
    static func ends(of notice: NoticeID, _ trial: Trial) async throws -> [End] {
        let facts = try await trial.log?.facts(after: 0) ?? []
        return facts.filter { $0.names(any: [notice.hex]) }.compactMap { fact in
            let json = Array(fact.data.text.utf8)
            if let told = try? Notifications.NoticeDelivered(json: json) { return End(told) }
            return (try? Notifications.NoticeFailed(json: json)).map { End($0) }
        }
    }

    /// The first of them, when it is there.
    static func ended(_ notice: NoticeID, _ trial: Trial) async throws -> End {
        let limit = ContinuousClock.now + patience
        while ContinuousClock.now < limit {
            if let end = try await ends(of: notice, trial).first { return end }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw Wrong("nothing tells how the delivery of a notice ended")
    }
}
