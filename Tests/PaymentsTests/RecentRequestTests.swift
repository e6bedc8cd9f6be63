import Contracts
import PaymentsService
import Primitives
import TestKit
import Testing

@Suite("requests that were just made")
struct RecentRequestTests {
    @Test("are found by the first attempt to decide them, and read from the store by all others")
    func once() {
        let requests = RecentRequests()
        requests.note(.sample(.test(1)))
        #expect(requests.take(.test(2), for: .alice) == nil)
        #expect(requests.take(.test(1), for: .alice) == .sample(.test(1)))
        #expect(requests.take(.test(1), for: .shop) == nil)
    }

    @Test("are nothing to whom they do not concern, and stay for those whom they do")
    func strangers() {
        let requests = RecentRequests()
        requests.note(.sample(.test(1)))
        #expect(requests.take(.test(1), for: .bakery) == nil)
        #expect(requests.take(.test(1), for: .shop) == .sample(.test(1)))
    }

    @Test("are forgotten when they are too many")
    func many() {
        let requests = RecentRequests()
        for number in 0...UInt64(RecentRequests.requestsMax) { requests.note(.sample(.test(number))) }
        #expect(requests.take(.test(0), for: .alice) == nil)
        #expect(requests.take(.test(UInt64(RecentRequests.requestsMax)), for: .alice) != nil)
    }

    @Test("are paid once, also by an approval that was refused before and is repeated")
    func repeated() async throws {
        let payments = try PaymentsHarness()
        try await payments.ask(Payments.RequestCharge.sample(.test(1)), as: .shop)
        let wrong = Payments.ApproveCharge(charge: .test(1), customer: .alice, card: nil, amount: Money(1))
        #expect(await payments.refusal(of: wrong, as: .alice) == .amountInvalid)
        let approval = Payments.ApproveCharge(charge: .test(1), customer: .alice, card: nil)
        let paid = try await payments.ask(approval, as: .alice)
        #expect(!paid.replayed)
        let again = try await payments.ask(approval, as: .alice)
        #expect(again.replayed && again.receipt == paid.receipt)
    }
}
