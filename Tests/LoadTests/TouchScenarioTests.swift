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
    private func begun(_ number: Int = 5) -> LoadOperation {
        var operation = LoadOperation()
        scenario.choose(&operation, stage)
        operation.customer = stage.population.owner(ofCard: operation.card)
        operation.number = number
        scenario.begin(&operation, stage)
        return operation
    }

    private func path(_ operation: LoadOperation) -> String {
        text { scenario.writePath(operation.step, operation, stage, to: $0) }
    }
    private func body(_ operation: LoadOperation) -> String {
        text { scenario.writeBody(operation.step, operation, stage, to: $0) }
    }

    private func text(_ write: (RequestText) -> Void) -> String {
        let text = RequestText()
        write(text)
        return text.string
    }

    /// Takes an answer as the generator does; false where the same request is to be repeated.
    private func take(_ answer: String, _ operation: inout LoadOperation) -> Bool {
        var bytes = Array(answer.utf8)
        let isTaken = bytes.withUnsafeMutableBytes {
            scenario.take(AnswerText(UnsafeRawBufferPointer($0)), of: operation.step, into: &operation, stage)
        }
        if isTaken { operation.step += 1 }
        return isTaken
    }

    /// What the gateway calls it: it follows from account and key.
    private func deviceID(_ operation: LoadOperation) -> PartyID {
        PartyID(
            of: Array("load-9-\(operation.device)".utf8), for: "openDevice",
            scope: stage.population.customer(operation.customer).bytes)
    }

    private static let pin = #"{"screen":"Pin Screen"}"#
    private static let main = #"{"screen":"My Cards - Main"}"#
    private static let payScreen = #"{"screen":"My Cards - Pay"}"#

    private func receipt(_ operation: LoadOperation, amount: Int = 150) -> String {
        #"{"screen":"My Cards - Pay","receipt":{"operation":"\#(operation.charge.hex)","#
            + #""amount":{"amount":\#(amount),"currency":"USD"},"lastFour":"1234","#
            + #""balance":{"amount":1500,"currency":"USD"},"entry":77}}"#
    }

    /// A new device is opened, and its PIN entered.
    private func atPay(_ operation: inout LoadOperation) {
        #expect(path(operation) == "/v1/devices")
        #expect(take(#"{"device":"\#(deviceID(operation).hex)","display":\#(Self.pin)}"#, &operation))
        for digit in ["1,\"y\":6", "1,\"y\":7", "1,\"y\":5", "1,\"y\":5"] {
            #expect(path(operation) == "/v1/devices/\(deviceID(operation).hex)/touch")
            #expect(body(operation).hasPrefix("{\"x\":\(digit),"))
            #expect(take(operation.step == 4 ? Self.main : Self.pin, &operation))
        }
        #expect(body(operation).hasPrefix(#"{"x":3,"y":3,"#))
        #expect(take(Self.payScreen, &operation))
    }

    @Test("opens, enters the PIN, pays, and goes back; the receipt is read")
    func whole() {
        var operation = begun()
        atPay(&operation)
        #expect(body(operation).hasPrefix(#"{"x":1,"y":2,"touchId":""#))
        #expect(take(receipt(operation), &operation))
        #expect(!operation.receiptDiffers && operation.entry == 77 && operation.cardBalance == 1500)
        #expect(path(operation) == "/v1/devices/\(deviceID(operation).hex)/menu/1")
        #expect(take(Self.main, &operation))
        #expect(operation.step == scenario.steps.count)
        scenario.end(operation, stage)
    }

    @Test("the charge is known before the touch is sent: what the gateway makes of account, device and touchId")
    func charge() {
        var operation = begun()
        atPay(&operation)
        let touchID = body(operation).dropFirst(#"{"x":1,"y":2,"touchId":""#.count).dropLast(2)
        let device = deviceID(operation)
        let account = stage.population.customer(operation.customer)
        #expect(
            operation.charge
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
        var operation = begun()
        atPay(&operation)
        let (first, charge) = (body(operation), operation.charge)
        #expect(
            take(#"{"screen":"My Cards - Pay","error":"Service unavailable. Nothing was paid. Try again"}"#, &operation)
        )
        #expect(take(Self.payScreen, &operation))
        #expect(body(operation) != first && operation.charge != charge)
        let second = body(operation)
        #expect(
            !take(
                #"{"screen":"My Cards - Pay","error":"Payment not confirmed. Touch again: it is paid once"}"#,
                &operation))
        #expect(body(operation) == second)
        // Locked meanwhile: the PIN again, and still the same touch.
        #expect(take(#"{"screen":"Pin Screen","error":"Enter the Pin again"}"#, &operation))
        for _ in 0..<3 { #expect(take(Self.pin, &operation)) }
        #expect(take(Self.main, &operation))
        #expect(take(Self.payScreen, &operation))
        #expect(body(operation) == second)
        #expect(take(receipt(operation), &operation))
        #expect(!operation.receiptDiffers)
    }

    @Test("a device that the gateway has lost is opened again, and the touch is the same")
    func lost() {
        var operation = begun()
        atPay(&operation)
        let touch = body(operation)
        #expect(!scenario.goesOn(after: "wallet.insufficient_funds", &operation, stage))
        #expect(scenario.goesOn(after: "gateway.device_not_found", &operation, stage))
        atPay(&operation)
        #expect(body(operation) == touch)
    }

    @Test("a receipt of another charge or amount is told")
    func odd() {
        var operation = begun()
        atPay(&operation)
        var other = operation
        #expect(take(receipt(operation, amount: 151), &operation))
        #expect(operation.receiptDiffers)
        var foreign = other
        foreign.charge = ChargeID(high: 1, low: 1)
        #expect(take(receipt(foreign), &other))
        #expect(other.receiptDiffers)
    }
}
