import Bus
import Contracts
import NotificationsService
import Primitives
import Testing
import Wire

@Suite("what a fact is to whom")
struct ComposingTests {
    private func consumed(_ fact: Envelope, hooks: Set<PartyID> = []) throws -> ConsumedEvent? {
        try NotifiableEvent(fact, hasHook: hooks.contains).map { ConsumedEvent($0, fact) }
    }

    private func notices(_ fact: Envelope) throws -> [Draft] {
        try consumed(fact)?.notices(names: [.shop: "The Shop"]) ?? []
    }

    @Test("a request is its customer's, with the shop's name and the charge's link (001-83)")
    func requested() throws {
        let notice = try #require(try notices(.requested(3)).first)
        #expect(notice.account == .alice && notice.kind == .request)
        #expect(notice.title == "The Shop asks for $4.20")
        #expect(notice.text == "Two coffees\nNothing is paid until you approve it.")
        #expect(notice.link == "/charges/\((.test(3) as ChargeID).hex)")
        #expect(try consumed(.requested(3))?.notices(names: [:]).first?.title == "A merchant asks for $4.20")
    }

    @Test("a fact that names the merchant needs nobody to look the name up; an older one does")
    func named() throws {
        let requested = Payments.ChargeRequested(
            charge: .test(1), merchant: .shop, customer: .alice, amount: Money(420), memo: "",
            expires: NoticesHarness.start, time: NoticesHarness.start, merchantName: "Corner Café")
        let closed = Payments.ChargeClosed(
            charge: .test(1), merchant: .shop, customer: .alice, amount: Money(420), reason: .cancelled,
            time: NoticesHarness.start, merchantName: "Corner Café")
        let refunded = Payments.ChargeRefunded(
            charge: .test(1), merchant: .shop, customer: .alice, amount: Money(420), refunded: Money(420),
            time: NoticesHarness.start, merchantName: "Corner Café")
        for fact in [Envelope.published(requested, 1), .published(closed, 2), .published(refunded, 3)] {
            let consumed = try #require(try consumed(fact))
            #expect(consumed.event.accountToName == nil)
            #expect(consumed.notices(names: [:]).contains { $0.account == .alice && $0.title.hasPrefix("Corner Café") })
        }
        #expect(try consumed(.requested(1))?.event.accountToName == .shop)
    }

    @Test("a payment is its merchant's news only when it had been requested (001-84)")
    func captured() throws {
        #expect(try consumed(.captured(1)) == nil)
        let notice = try #require(try notices(.captured(1, requested: true)).first)
        #expect(notice.account == .shop && notice.title == "$4.20 was paid" && notice.kind == .payment)
        // With a web hook it is heard, and is no notice all the same.
        let hooked = try #require(try consumed(.captured(1), hooks: [.shop]))
        #expect(hooked.notices(names: [:]).isEmpty)
        #expect(hooked.hookMessage?.data.contains("\"entry\":1") == true)
        #expect(hooked.hookMessage?.data.contains("card") == false)
    }

    @Test("who answered is not told what they know (001-84, A55)", arguments: Wallet.CloseReason.allCases)
    func closed(reason: Wallet.CloseReason) throws {
        let fact = Envelope.published(
            Payments.ChargeClosed(
                charge: .test(1), merchant: .shop, customer: .alice, amount: Money(420), reason: reason,
                time: NoticesHarness.start), 1)
        let expected: [PartyID] =
            switch reason {
            case .declined: [.shop]
            case .cancelled: [.alice]
            case .expired: [.shop, .alice]
            }
        #expect(try notices(fact).map(\.account) == expected)
        #expect(try notices(fact).allSatisfy { $0.kind == .closing && $0.text.hasPrefix("Nothing was paid.") })
    }

    @Test("an offer opens on that deal (001-13, 001-15)")
    func offers() throws {
        let sent = Offers.OfferSent(
            offer: .test(5), kind: .coupon, merchant: .shop, merchantName: "The Shop", customer: .alice,
            title: "Half price", content: "All coffee", occasion: .entered, place: nil,
            expires: NoticesHarness.start, time: NoticesHarness.start)
        let notice = try #require(try notices(.published(sent, 1)).first)
        #expect(notice.link == "/deals/\((.test(5) as OfferID).hex)" && notice.title == "The Shop: Half price")
        let decided = Offers.OfferDecided(
            offer: .test(5), kind: .ad, merchant: .shop, title: "Half price", acceptance: .rejected,
            reason: "Too loud", time: NoticesHarness.start)
        let published = try #require(try notices(.published(decided, 1)).first)
        #expect(published.account == .shop && published.text == "Too loud" && published.title.contains("rejected"))
    }

    @Test("texts are cut to what an inbox keeps, at a character's end", arguments: ["a", "ß", "☕️", "👩‍👩‍👧‍👧"])
    func cut(character: String) throws {
        let sent = Offers.OfferSent(
            offer: .test(5), kind: .coupon, merchant: .shop, merchantName: "The Shop", customer: .alice,
            title: String(repeating: character, count: 400), content: String(repeating: character, count: 4001),
            occasion: .entered, place: nil, expires: NoticesHarness.start, time: NoticesHarness.start)
        let notice = try #require(try notices(.published(sent, 1)).first)
        #expect(notice.title.utf8.count <= Draft.titleBytesMax && notice.text.utf8.count <= Draft.textBytesMax)
        #expect(notice.text.utf8.count > Draft.textBytesMax - character.utf8.count)
        #expect(notice.text.allSatisfy { String($0) == character })
    }

    @Test("a notice's id depends on source, sequence and account, and on nothing else")
    func ids() {
        let id = NoticeID(source: "payments", sequence: 7, for: .alice)
        #expect(id == NoticeID(source: "payments", sequence: 7, for: .alice))
        #expect(id != NoticeID(source: "payments", sequence: 8, for: .alice))
        #expect(id != NoticeID(source: "offers", sequence: 7, for: .alice))
        #expect(id != NoticeID(source: "payments", sequence: 7, for: .shop))
    }
}
