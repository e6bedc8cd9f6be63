import Contracts
import LoadReport
import Primitives
import Sodium

/// A customer pays at a touch device: to the pay screen, one touch that pays, and back. A device that is new, or that the
/// gateway has lost, is opened first, and the PIN is entered.
///
/// A payment's charge has its touch's id, which follows from account, device and `touchId`: it is known before it is sent.
struct TouchScenario: Scenario {
    let name = "touch"
    let summary = "a customer pays at a touch device (3 requests; over HTTP only)"
    let steps = [ScenarioStep](repeating: ScenarioStep(requestBy: .customer), count: Step.allCases.count)
    let needsCustomerAccount = true
    let drivers: Set<LoadDriver> = [.http]

    enum Step: Int, CaseIterable {
        case open
        case firstDigit, secondDigit, thirdDigit, fourthDigit
        case toPay, pay, back
    }

    /// What a touch pays unless a gateway is told otherwise (000-97).
    static let amount = 150

    private static func step(_ deal: Deal) -> Step { Step(rawValue: deal.step)! }

    // MARK: Devices

    func choose(_ deal: inout Deal, _ stage: Stage) {
        deal.device = stage.devices.take()
        let customer = stage.devices.customer(deal.device, of: stage.population)
        // The card that was added last is the one that pays.
        deal.card = (customer + 1) * stage.population.cardsEach - 1
        deal.merchant = stage.devices.merchant(deal.device, of: stage.population)
        deal.amount = Self.amount
        deal.step = (stage.devices[deal.device] == nil ? Step.open : .toPay).rawValue
    }

    func begin(_ deal: inout Deal, _ stage: Stage) { expectCharge(of: &deal, stage) }

    func end(_ deal: Deal, _ stage: Stage) { stage.devices.giveBack(deal.device) }

    func goesOn(after code: String, _ deal: inout Deal, _ stage: Stage) -> Bool {
        guard code == "gateway.device_not_found" else { return false }
        stage.devices[deal.device] = nil
        deal.step = Step.open.rawValue
        return true
    }

    /// What the device's key makes of it, as the gateway does.
    private func device(_ deal: Deal, _ stage: Stage) -> PartyID {
        if let open = stage.devices[deal.device] { return open }
        let account = stage.population.customer(deal.customer)
        return PartyID(of: Array(stage.devices.key(deal.device).utf8), for: "openDevice", scope: account.bytes)
    }

    private func expectCharge(of deal: inout Deal, _ stage: Stage) {
        let account = stage.population.customer(deal.customer)
        let text = RequestText(capacity: 128)
        writeTouchID(deal, stage, to: text)
        deal.charge = ChargeID(
            of: text.array, for: "touch", scope: account.bytes + device(deal, stage).bytes)
    }

    // MARK: Requests

    func writeAsk(_ step: Int, _ deal: Deal, _ stage: Stage, to text: RequestText) {
        preconditionFailure("devices are touched over HTTP")
    }

    func writePath(_ step: Int, _ deal: Deal, _ stage: Stage, to text: RequestText) {
        text.text("/v1/devices")
        if Self.step(deal) == .open { return }
        text.text("/")
        text.hex(device(deal, stage))
        text.text(Self.step(deal) == .back ? "/menu/1" : "/touch")
    }

    func writeFields(_ step: Int, _ deal: Deal, _ stage: Stage, to text: RequestText) {
        guard Self.step(deal) == .open else { return }
        text.text("\r\nIdempotency-Key: ")
        text.text(Array(stage.devices.key(deal.device).utf8))
    }

    func writeBody(_ step: Int, _ deal: Deal, _ stage: Stage, to text: RequestText) {
        switch Self.step(deal) {
        case .open:
            text.field("{\"merchant\":\"", stage.population.merchant(deal.merchant))
            text.text("}")
        case .firstDigit: touch(1, 6, deal, stage, to: text)  // 4711, the population's PIN
        case .secondDigit: touch(1, 7, deal, stage, to: text)
        case .thirdDigit, .fourthDigit: touch(1, 5, deal, stage, to: text)
        case .toPay: touch(3, 3, deal, stage, to: text)
        case .pay:
            text.text("{\"x\":1,\"y\":2,\"touchId\":\"")
            writeTouchID(deal, stage, to: text)
            text.text("\"}")
        case .back: text.text("{}")
        }
    }

    private func touch(_ x: Int, _ y: Int, _ deal: Deal, _ stage: Stage, to text: RequestText) {
        text.text("{\"x\":")
        text.decimal(x)
        text.text(",\"y\":")
        text.decimal(y)
        text.text(",\"touchId\":\"")
        // Another touch after each return to an earlier step; the same when only the answer was lost.
        stage.writeMemo(deal.number, to: text)
        text.text("-")
        text.decimal(deal.steering)
        text.text("-")
        text.decimal(deal.step)
        text.text("\"}")
    }

    /// A UUID of version 7 for the first touch that pays, as clients do; another for each further one.
    private func writeTouchID(_ deal: Deal, _ stage: Stage, to text: RequestText) {
        stage.writeKey(deal.number, to: text)
        guard deal.touches > 0 else { return }
        text.text("-")
        text.decimal(deal.touches)
    }

    // MARK: Answers

    func take(_ answer: AnswerText, of step: Int, into deal: inout Deal, _ stage: Stage) -> Bool {
        let isLocked = answer.after("\"screen\":\"Pin Screen\"") != nil
        switch Self.step(deal) {
        case .open:
            guard let device = answer.identifier("\"device\":\"", of: PartyID.self) else { return false }
            stage.devices[deal.device] = device
            // One that was opened before, whose answer got lost, is where it was.
            goOn(from: isLocked ? .firstDigit : .toPay, &deal)
        case .firstDigit, .secondDigit, .thirdDigit, .back: break
        case .fourthDigit, .toPay: if isLocked { goOn(from: .firstDigit, &deal) }
        case .pay: return takePayment(answer, isLocked, into: &deal, stage)
        }
        return true
    }

    /// Goes on from a step as the next one, with touches that are new ones.
    private func goOn(from step: Step, _ deal: inout Deal) {
        deal.steering += 1
        deal.step = step.rawValue - 1
    }

    private func takePayment(
        _ answer: AnswerText, _ isLocked: Bool, into deal: inout Deal, _ stage: Stage
    ) -> Bool {
        if let receipt = answer.after("\"receipt\":").map(AnswerText.init) {
            deal.receiptDiffers =
                receipt.identifier("{\"operation\":\"") != deal.charge
                || receipt.integer("\"amount\":{\"amount\":") != Int64(deal.amount)
            deal.entry = receipt.integer("\"entry\":") ?? 0
            deal.cardBalance = receipt.integer("\"balance\":{\"amount\":") ?? .min
            return true
        }
        if answer.after("\"error\":\"Payment not confirmed") != nil {
            // The same touch again finds out.
            deal.isUnsettled = true
            return false
        }
        if !deal.isUnsettled {
            // Nothing was paid, and the app says why: a person touches anew.
            deal.touches += 1
            expectCharge(of: &deal, stage)
        }
        goOn(from: isLocked ? .firstDigit : .toPay, &deal)
        return true
    }
}
