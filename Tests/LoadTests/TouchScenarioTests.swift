import Contracts
import Load
import LoadReport
import Primitives
import Sodium
import Testing

@Suite("paying at a touch device")
struct TouchScenarioTests {
    private let scenario = ScenarioList.all.first { $0.name == "touch" }!
    private let stage: Stage

    init() {
        let population = Population(name: "test", customers: 2, cardsEach: 1, merchants: 3)
        stage = Stage(
            driver: .http, population: population, run: 7, started: Timestamp(milliseconds: 1_795_000_000_000),
            devices: DevicePool(4, run: 9))
    }

    /// An operation as the generator begins it.
    private func begun(_ number: Int = 5) -> Deal {
        var deal = Deal()
        scenario.choose(&deal, stage)
        deal.customer = stage.population.owner(ofCard: deal.card)
        deal.number = number
        scenario.begin(&deal, stage)
        return deal
    }

    private func path(_ deal: Deal) -> String { text { scenario.writePath(deal.step, deal, stage, to: $0) } }
    private func body(_ deal: Deal) -> String { text { scenario.writeBody(deal.step, deal, stage, to: $0) } }

    private func text(_ write: (RequestText) -> Void) -> String {
        let text = RequestText()
        write(text)
        return text.string
    }

    /// Takes an answer as the generator does; false where the same request is to be repeated.
    private func take(_ answer: String, _ deal: inout Deal) -> Bool {
        var bytes = Array(answer.utf8)
        let isTaken = bytes.withUnsafeMutableBytes {
            scenario.take(AnswerText(UnsafeRawBufferPointer($0)), of: deal.step, into: &deal, stage)
        }
        if isTaken { deal.step += 1 }
        return isTaken
    }

    /// What the gateway calls it: it follows from account and key.
    private func deviceID(_ deal: Deal) -> PartyID {
        PartyID(
            of: Array("load-9-\(deal.device)".utf8), for: "openDevice",
            scope: stage.population.customer(deal.customer).bytes)
    }

    private static let pin = #"{"screen":"Pin Screen"}"#
    private static let main = #"{"screen":"My Cards - Main"}"#
    private static let payScreen = #"{"screen":"My Cards - Pay"}"#

    private func receipt(_ deal: Deal, amount: Int = 150) -> String {
        #"{"screen":"My Cards - Pay","receipt":{"operation":"\#(deal.charge.hex)","#
            + #""amount":{"amount":\#(amount),"currency":"USD"},"lastFour":"1234","#
            + #""balance":{"amount":1500,"currency":"USD"},"entry":77}}"#
    }

    /// A new device is opened, and its PIN entered.
    private func atPay(_ deal: inout Deal) {
        #expect(path(deal) == "/v1/devices")
        #expect(take(#"{"device":"\#(deviceID(deal).hex)","display":\#(Self.pin)}"#, &deal))
        for digit in ["1,\"y\":6", "1,\"y\":7", "1,\"y\":5", "1,\"y\":5"] {
            #expect(path(deal) == "/v1/devices/\(deviceID(deal).hex)/touch")
            #expect(body(deal).hasPrefix("{\"x\":\(digit),"))
            #expect(take(deal.step == 4 ? Self.main : Self.pin, &deal))
        }
        #expect(body(deal).hasPrefix(#"{"x":3,"y":3,"#))
        #expect(take(Self.payScreen, &deal))
    }

    @Test("opens, enters the PIN, pays, and goes back; the receipt is read")
    func whole() {
        var deal = begun()
        atPay(&deal)
        #expect(body(deal).hasPrefix(#"{"x":1,"y":2,"touchId":""#))
        #expect(take(receipt(deal), &deal))
        #expect(!deal.receiptDiffers && deal.entry == 77 && deal.cardBalance == 1500)
        #expect(path(deal) == "/v1/devices/\(deviceID(deal).hex)/menu/1")
        #expect(take(Self.main, &deal))
        #expect(deal.step == scenario.steps.count)
        scenario.end(deal, stage)
    }

    @Test("the charge is known before the touch is sent: what the gateway makes of account, device and touchId")
    func charge() {
        var deal = begun()
        atPay(&deal)
        let touchID = body(deal).dropFirst(#"{"x":1,"y":2,"touchId":""#.count).dropLast(2)
        let device = deviceID(deal)
        let account = stage.population.customer(deal.customer)
        #expect(
            deal.charge
                == ChargeID(of: Array(touchID.utf8), for: "touch", scope: account.bytes + device.bytes))
    }

    @Test("an open device is used without its PIN, by one operation at a time, all in turn")
    func pool() {
        var first = begun(1)
        atPay(&first)
        let others = (2...4).map(begun)
        #expect(Set(([first] + others).map(\.device)) == [0, 1, 2, 3])
        scenario.end(first, stage)
        let again = begun(5)
        #expect(again.device == first.device)
        #expect(path(again) == "/v1/devices/\(deviceID(again).hex)/touch")
        #expect(again.charge != first.charge && again.charge.high != 0)
    }

    @Test("nothing paid: another touch; not confirmed: the same one again")
    func trouble() {
        var deal = begun()
        atPay(&deal)
        let (first, charge) = (body(deal), deal.charge)
        #expect(take(#"{"screen":"My Cards - Pay","error":"Service unavailable. Nothing was paid. Try again"}"#, &deal))
        #expect(take(Self.payScreen, &deal))
        #expect(body(deal) != first && deal.charge != charge)
        let second = body(deal)
        #expect(
            !take(
                #"{"screen":"My Cards - Pay","error":"Payment not confirmed. Touch again: it is paid once"}"#, &deal))
        #expect(body(deal) == second)
        // Locked meanwhile: the PIN again, and still the same touch.
        #expect(take(#"{"screen":"Pin Screen","error":"Enter the Pin again"}"#, &deal))
        for _ in 0..<3 { #expect(take(Self.pin, &deal)) }
        #expect(take(Self.main, &deal))
        #expect(take(Self.payScreen, &deal))
        #expect(body(deal) == second)
        #expect(take(receipt(deal), &deal))
        #expect(!deal.receiptDiffers)
    }

    @Test("a device that the gateway has lost is opened again, and the touch is the same")
    func lost() {
        var deal = begun()
        atPay(&deal)
        let touch = body(deal)
        #expect(!scenario.goesOn(after: "wallet.insufficient_funds", &deal, stage))
        #expect(scenario.goesOn(after: "gateway.device_not_found", &deal, stage))
        atPay(&deal)
        #expect(body(deal) == touch)
    }

    @Test("a receipt of another charge or amount is told")
    func odd() {
        var deal = begun()
        atPay(&deal)
        var other = deal
        #expect(take(receipt(deal, amount: 151), &deal))
        #expect(deal.receiptDiffers)
        var foreign = other
        foreign.charge = ChargeID(high: 1, low: 1)
        #expect(take(receipt(foreign), &other))
        #expect(other.receiptDiffers)
    }
}
