import Bus
import Contracts
import NotificationsService
import Primitives
import TestKit
import Testing

@Suite("endpoints and deliveries")
struct DeliveryTests {
    private static let phone = String(repeating: "a1", count: 32)

    private var quick: DeliveryRules {
        var rules = DeliveryRules()
        rules.pauseFirst = .zero
        rules.attemptsMax = 3
        return rules
    }

    @Test("a notice goes to each of the account's phones, and is told of when it has arrived")
    func pushes() async throws {
        let house = try await NoticesHarness()
        try await house.add(1, "android", of: .alice, as: .test(1))
        try await house.add(2, Self.phone, of: .alice, as: .test(2))
        try await house.add(1, "carols", of: .carol, as: .test(3))
        try await house.carrying { () async throws in
            try await house.consume([.requested(1)])
            let notice = try await house.inbox(.alice).notices[0].notice
            for endpoint in [1, 2] as [UInt64] {
                let ended = try await house.ended(DeliveryID(of: notice, to: .test(endpoint)))
                #expect(ended.state == .delivered && ended.attempts == 1)
            }
        }
        #expect(Set(house.provider.sent.map(\.address)) == ["android", Self.phone])
        let delivered = try await house.facts().filter { $0.type == Notifications.NoticeDelivered.type.name }
        #expect(delivered.count == 2)
    }

    @Test("what waits is taken up by the next process, under the same key")
    func restart() async throws {
        let directory = try TemporaryDirectory()
        let key: DeliveryID
        do {
            let house = try await NoticesHarness(in: directory)
            try await house.add(1, "android", of: .alice, as: .test(1))
            try await house.consume([.requested(1)])
            key = try await house.queued()[0].id
        }
        let house = try await NoticesHarness(in: directory)
        try await house.carrying { () async throws in #expect(try await house.ended(key).state == .delivered) }
        #expect(house.provider.sent.map(\.id) == [key])
        #expect(try await house.queued().isEmpty)
    }

    @Test("where the store cannot record that a delivery arrived, it is sent again, and no failure of its endpoint")
    func failingDisk() async throws {
        let house = try await NoticesHarness()
        try await house.add(1, "android", of: .alice, as: .test(1))
        try await house.consume([.requested(1)])
        let key = try await house.queued()[0].id
        house.provider.meanwhile { [store = house.store.store] attempt in
            // Without the log of facts nothing is recorded.
            let change =
                attempt == 1 ? "ALTER TABLE facts RENAME TO facts_away" : "ALTER TABLE facts_away RENAME TO facts"
            try await store.write { try $0.script(change) }
        }
        try await house.carrying { () async throws in
            // Polls for the second attempt: the dispatcher's alarm is a real one, while the clock is the test's own.
            for _ in 0..<10_000 where house.provider.sent.count < 2 {
                house.clock.advance(.milliseconds(10))
                try await Task.sleep(for: .milliseconds(1))
            }
            try #require(house.provider.sent.count == 2)
            let ended = try await house.ended(key)
            #expect(ended.state == .delivered && ended.attempts == 1)
        }
        #expect(house.provider.sent.map(\.id) == [key, key])
        #expect(try await house.facts().filter { $0.type == Notifications.NoticeDelivered.type.name }.count == 1)
    }

    @Test("failures are tried again, given up, listed, shown, replayed under the same key, and discarded")
    func deadLetters() async throws {
        let house = try await NoticesHarness(rules: quick)
        house.provider.answer(.failed("HTTP 500"))
        try await house.add(1, "android", of: .alice, as: .test(1))
        try await house.carrying { () async throws in
            try await house.consume([.requested(1)])
            let notice = try await house.inbox(.alice).notices[0].notice
            let key = DeliveryID(of: notice, to: .test(1))
            let dead = try await house.ended(key)
            #expect(dead.state == .dead && dead.attempts == 3 && dead.reason == "HTTP 500")
            #expect(try await house.deadLetters() == [dead])
            let shown = try await ReadDeliveryHandler(house.service).admit(.init(delivery: key), in: house.context())
            #expect(shown.title == "The Shop asks for $4.20" && shown.delivery == dead)
            house.provider.answer(.delivered())
            let replayed = try await ReplayDeliveryHandler(house.service).admit(
                .init(delivery: key), in: house.context())
            #expect(replayed.state == .queued && replayed.attempts == 0)
            #expect(try await house.ended(key).state == .delivered)
            #expect(Set(house.provider.sent.map(\.id)) == [key])
            #expect(
                await refusal { () throws(Fault) in
                    try await ReplayDeliveryHandler(house.service).admit(.init(delivery: key), in: house.context())
                } == .deliveryNotReplayable)
        }
        let published = try await house.facts().map(\.type)
        #expect(
            published == [
                Notifications.NoticeAdded.type.name, Notifications.NoticeFailed.type.name,
                Notifications.NoticeDelivered.type.name
            ])
        let none = try await DiscardDeliveryHandler(house.service).admit(.init(delivery: .test(9)), in: house.context())
        #expect(!none.discarded)
        #expect(
            await refusal { () throws(Fault) in
                try await ReplayDeliveryHandler(house.service).admit(.init(delivery: .test(9)), in: house.context())
            } == .deliveryNotFound)
    }

    @Test("a registration that is gone is removed, and its dead letter goes nowhere again")
    func gone() async throws {
        let house = try await NoticesHarness()
        house.provider.answer(.gone("UNREGISTERED"))
        try await house.add(1, "android", of: .alice, as: .test(1))
        try await house.carrying { () async throws in
            try await house.consume([.requested(1), .requested(2)])
            let notices = try await house.inbox(.alice).notices
            let key = DeliveryID(of: notices[1].notice, to: .test(1))
            #expect(try await house.ended(key).reason == "UNREGISTERED")
            #expect(try await house.endpoints(.alice).isEmpty)
            #expect(try await house.queued().isEmpty)
            #expect(
                await refusal { () throws(Fault) in
                    try await ReplayDeliveryHandler(house.service).admit(.init(delivery: key), in: house.context())
                } == .deliveryNotReplayable)
        }
        #expect(house.provider.sent.count == 1)
    }

    @Test("preferences decide when a notice is made, and again when it is sent (A69, A85)")
    func preferences() async throws {
        let house = try await NoticesHarness()
        try await house.add(1, "android", of: .alice, as: .test(1))
        try await house.set(.alice, enabled: false)
        try await house.consume([.requested(1)])
        let told = try #require(try await house.inbox(.shop).notices.first)
        #expect(told.title == "The customer was not notified: off")
        try await house.set(.alice, muted: [.request])
        try await house.consume([.requested(2)])
        #expect(try await house.queued().isEmpty)
        #expect(try await house.inbox(.alice).notices.count == 2)
        let minute = house.clock.now.milliseconds / 60_000 % 1440
        try await house.set(.alice, quiet: .init(from: minute, until: (minute + 3) % 1440, offset: 0))
        try await house.consume([.requested(3)])
        let queued = try #require(try await house.queued().first)
        #expect(queued.due > house.clock.now && queued.due <= house.clock.now + .seconds(180))
        try await house.set(.alice)
        try await house.consume([.requested(4)])
        try await house.set(.alice, enabled: false)
        try await house.carrying { () async throws in
            let notice = try await house.inbox(.alice).notices[0].notice
            #expect(try await house.ended(DeliveryID(of: notice, to: .test(1))).reason == "notifications_off")
        }
        #expect(house.provider.sent.isEmpty)
    }

    @Test("of one endpoint so many wait; one more is a dead letter at once")
    func bounded() async throws {
        var rules = DeliveryRules()
        rules.waitingPerEndpointMax = 3
        let house = try await NoticesHarness(rules: rules)
        try await house.add(1, "android", of: .alice, as: .test(1))
        try await house.consume((1...5).map { .requested($0) })
        #expect(try await house.queued().count == 3)
        #expect(try await house.deadLetters().map(\.reason) == ["too_many_waiting", "too_many_waiting"])
    }

    @Test("what is no news any more is in the inbox, and pushed to nobody")
    func late() async throws {
        let house = try await NoticesHarness()
        try await house.add(1, "android", of: .shop, as: .test(1))
        house.clock.advance(DeliveryRules().newsMax)
        try await house.consume([.captured(1, requested: true)])
        #expect(try await house.queued().count == 1)
        house.clock.advance(.milliseconds(1))
        try await house.consume([.captured(2, requested: true)])
        #expect(try await house.queued().count == 1)
        #expect(try await house.inbox(.shop).notices.count == 2)
    }

    @Test("web hooks are told of their merchant's charges from when they were added, others' never")
    func hooks() async throws {
        let house = try await NoticesHarness()
        let shop = Actor(role: .merchant, party: .shop)
        let made = try await house.add(4, "https://shop.example.com/hook", of: .shop, as: .test(1), actor: shop)
        #expect(made.secret?.hasPrefix("whsec_") == true)
        let again = try await house.add(4, "https://shop.example.com/hook", of: .shop, as: .test(1), actor: shop)
        #expect(again.replayed && again.secret == made.secret)
        let past = house.clock.now - .seconds(1)
        try await house.consume([.captured(1, time: past), .captured(2), .captured(3, merchant: .bakery)])
        let queued = try await house.queued()
        #expect(queued.count == 1)
        let delivery = try #require(try await house.store.deliveryToSend(queued[0].id))
        #expect(delivery.title == "payments.charge.captured.v1" && delivery.secret?.count == 32)
        try await house.consume([.captured(2)])
        #expect(try await house.queued().count == 1)
        #expect(try await house.inbox(.shop).notices.isEmpty)
        #expect(
            await refusal { () throws(Fault) in
                try await house.add(
                    4, "https://x.example.com/", of: .alice, as: .test(2), actor: Actor(role: .customer, party: .alice))
            } == .forbidden)
    }

    @Test("a registration is keyed, bounded, and moves with the phone")
    func registrations() async throws {
        let house = try await NoticesHarness()
        try await house.add(2, Self.phone, of: .alice, as: .test(1))
        #expect(try await house.add(2, Self.phone, of: .alice, as: .test(1)).replayed)
        #expect(
            await refusal { () throws(Fault) in try await house.add(1, "other", of: .alice, as: .test(1)) }
                == .noticeIDReused)
        try await house.consume([.requested(1)])
        try await house.add(2, Self.phone, of: .carol, as: .test(2))
        #expect(try await house.endpoints(.alice).isEmpty)
        #expect(try await house.queued().isEmpty)
        // A late repeat of the first registration does not take the phone back.
        #expect(
            await refusal { () throws(Fault) in try await house.add(2, Self.phone, of: .alice, as: .test(1)) }
                == .noticeIDReused)
        for number in 0..<UInt64(NoticeStore.endpointsMax) {
            try await house.add(1, "phone\(number)", of: .shop, as: .test(100 + number))
        }
        #expect(
            await refusal { () throws(Fault) in try await house.add(1, "more", of: .shop, as: .test(99)) }
                == .tooManyEndpoints)
        // A refusal takes nobody's phone, and one's own may be registered anew.
        #expect(
            await refusal { () throws(Fault) in try await house.add(2, Self.phone, of: .shop, as: .test(98)) }
                == .tooManyEndpoints)
        #expect(try await house.endpoints(.carol).count == 1)
        try await house.add(1, "phone3", of: .shop, as: .test(97))
        for (type, address) in [
            (0, "x"), (5, "a@b.c"), (2, "x"), (4, "http://example.com/"), (4, "https://127.0.0.1/"), (1, ""),
            (1, "two words"), (3, "https://push.example.com/")
        ] as [(Int64, String)] {
            #expect(
                await refusal { () throws(Fault) in try await house.add(type, address, of: .carol, as: .test(50)) }
                    == .endpointInvalid)
        }
    }

    @Test("a phone that its account registers again, in whatever spelling, gets what waits for it")
    func registeredAgain() async throws {
        let house = try await NoticesHarness()
        let token = String(repeating: "ab", count: 32)
        try await house.add(2, token.uppercased(), of: .alice, as: .test(1))
        try await house.consume([.requested(1)])
        let waiting = try await house.queued()
        try await house.add(2, token, of: .alice, as: .test(2))
        #expect(try await house.endpoints(.alice).map(\.endpoint) == [.test(2)])
        #expect(try await house.queued().map(\.id) == waiting.map(\.id))
        try await house.carrying { () async throws in
            #expect(try await house.ended(waiting[0].id).state == .delivered)
        }
        #expect(house.provider.sent.map(\.address) == [token])
        // Another account's phone is another one's from then on, and gets nothing of before.
        try await house.consume([.requested(2)])
        try await house.add(2, token.uppercased(), of: .carol, as: .test(3))
        #expect(try await house.endpoints(.alice).isEmpty)
        #expect(try await house.queued().isEmpty)
    }

    @Test("a dead letter of what is over at a time of its own is not replayed after that")
    func replayOfWhatIsOver() async throws {
        let house = try await NoticesHarness(rules: quick)
        house.provider.answer(.refused("HTTP 400"))
        try await house.add(1, "android", of: .alice, as: .test(1))
        try await house.carrying { () async throws in
            try await house.consume([.requested(1)])
            let key = DeliveryID(of: try await house.inbox(.alice).notices[0].notice, to: .test(1))
            #expect(try await house.ended(key).state == .dead)
            house.clock.advance(.seconds(300))
            #expect(
                await refusal { () throws(Fault) in
                    try await ReplayDeliveryHandler(house.service).admit(.init(delivery: key), in: house.context())
                } == .deliveryNotReplayable)
        }
    }

    @Test("sendNotification says sent, queued or failed, and is keyed (001-77, A51)")
    func sending() async throws {
        let house = try await NoticesHarness(rules: quick)
        try await house.add(2, Self.phone, of: .alice, as: .test(1))
        @Sendable func send(
            _ notice: UInt64, _ text: String = "Hello", to address: String = Self.phone, type: Int64 = 2
        )
            async throws(Fault) -> Notifications.SendNotification.Reply
        {
            try await SendNotificationHandler(house.service).admit(
                .init(notice: .test(notice), type: type, registrationId: address, message: text), in: house.context())
        }
        try await house.carrying { () async throws in
            #expect(try await send(1) == .init(result: "sent", replayed: false))
            #expect(try await send(1) == .init(result: "sent", replayed: true))
            #expect(await refusal { () throws(Fault) in try await send(1, "Other") } == .noticeIDReused)
            house.provider.answer(.refused("BadTopic"))
            #expect(try await send(2).result == "failed:BadTopic")
            #expect(try await send(3, to: "unregistered", type: 1).result == "failed:BadTopic")
            #expect(try await send(4, to: "https://push.example.com/1", type: 3).result == "failed:not_registered")
        }
        #expect(try await house.inbox(.alice).notices.map(\.text) == ["Hello", "Hello"])
        #expect(house.provider.sent.filter { $0.id == .test(1) }.count == 1)
        #expect(await refusal { () throws(Fault) in try await send(9, " ") } == .messageInvalid)
        #expect(await refusal { () throws(Fault) in try await send(9, type: 4) } == .endpointInvalid)
    }

    @Test("a letter is keyed, told to nobody once it is sent, and dead when its time is over (A42)")
    func letters() async throws {
        let house = try await NoticesHarness(rules: quick)
        @Sendable func mail(_ notice: UInt64, _ text: String = "Code 4711", expires: Duration = .seconds(600))
            async throws(Fault) -> Bool
        {
            try await SendMailHandler(house.service).admit(
                .init(
                    notice: .test(notice), to: "ada@example.com", subject: "Code", text: text,
                    expires: house.clock.now + expires), in: house.context()
            ).replayed
        }
        try await house.carrying { () async throws in
            #expect(try await mail(1) == false)
            #expect(try await house.ended(.test(1)).state == .delivered)
            #expect(try await mail(1) == true)
            #expect(await refusal { () throws(Fault) in try await mail(1, "Code 4712") } == .noticeIDReused)
            #expect(try await house.store.delivery(.test(1))?.text == "")
            #expect(try await mail(2, expires: .zero) == false)
            #expect(try await house.ended(.test(2)).reason == "expired")
            #expect(try await house.store.delivery(.test(2))?.text == "")
        }
        #expect(house.provider.sent.map(\.text) == ["Code 4711"])
    }

    @Test("what is kept no longer is forgotten: deliveries, dead letters, ids of removed endpoints")
    func sweeping() async throws {
        let rules = DeliveryRules()
        let house = try await NoticesHarness()
        try await house.add(1, "android", of: .alice, as: .test(1))
        house.provider.answer(.delivered(), .refused("no"))
        try await house.carrying { () async throws in
            try await house.consume([.requested(1), .requested(2)])
            for notice in try await house.inbox(.alice).notices {
                _ = try await house.ended(DeliveryID(of: notice.notice, to: .test(1)))
            }
        }
        let keys = try await house.inbox(.alice).notices.map { DeliveryID(of: $0.notice, to: .test(1)) }
        house.clock.advance(rules.deliveredKept + .seconds(1))
        try await house.service.sweep()
        #expect(try await house.store.delivery(keys[1]) == nil)
        #expect(try await house.store.delivery(keys[0]) != nil)
        house.clock.advance(rules.deadKept)
        try await house.service.sweep()
        #expect(try await house.store.delivery(keys[0]) == nil)
    }
}
