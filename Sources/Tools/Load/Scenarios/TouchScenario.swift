import Contracts
import LoadReport
import Primitives
import Sodium

/// A customer pays at a touch device: to the pay screen, one touch that pays, and back. A device that is new, or that
/// the gateway has lost, is opened first, and the PIN is entered.
///
/// A payment's charge has its touch's id, which follows from account, device and `touchId`: it is known before it is
/// sent.
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

    /// The amount of a touch unless the gateway's settings say otherwise.
    static let amount = 150

    private static func step(_ operation: LoadOperation) -> Step { Step(rawValue: operation.step)! }

    // MARK: Devices

    func choose(_ operation: inout LoadOperation, _ stage: Stage) {
        operation.device = stage.devices.take()
        let customer = stage.devices.customer(operation.device, of: stage.population)
        // The card that was added last is the one that pays.
        operation.card = (customer + 1) * stage.population.cardsEach - 1
        operation.merchant = stage.devices.merchant(operation.device, of: stage.population)
        operation.amount = Self.amount
        operation.step = (stage.devices[operation.device] == nil ? Step.open : .toPay).rawValue
    }

    func begin(_ operation: inout LoadOperation, _ stage: Stage) { expectCharge(of: &operation, stage) }

    func end(_ operation: LoadOperation, _ stage: Stage) { stage.devices.giveBack(operation.device) }

    func goesOn(after code: String, _ operation: inout LoadOperation, _ stage: Stage) -> Bool {
        guard code == "gateway.device_not_found" else { return false }
        stage.devices[operation.device] = nil
        operation.step = Step.open.rawValue
        return true
    }

    /// What the device's key makes of it, as the gateway does.
    private func device(_ operation: LoadOperation, _ stage: Stage) -> PartyID {
        if let open = stage.devices[operation.device] { return open }
        let account = stage.population.customer(operation.customer)
        return PartyID(of: Array(stage.devices.key(operation.device).utf8), for: "openDevice", scope: account.bytes)
    }

    private func expectCharge(of operation: inout LoadOperation, _ stage: Stage) {
        let account = stage.population.customer(operation.customer)
        let text = RequestText(capacity: 128)
        writeTouchID(operation, stage, to: text)
        operation.charge = ChargeID(
            of: text.array, for: "touch", scope: account.bytes + device(operation, stage).bytes)
    }

    // MARK: Requests

    func writeAsk(_ step: Int, _ operation: LoadOperation, _ stage: Stage, to text: RequestText) {
        preconditionFailure("devices are touched over HTTP")
    }

    func writePath(_ step: Int, _ operation: LoadOperation, _ stage: Stage, to text: RequestText) {
        text.text("/v1/devices")
        if Self.step(operation) == .open { return }
        text.text("/")
        text.hex(device(operation, stage))
        text.text(Self.step(operation) == .back ? "/menu/1" : "/touch")
    }

    func writeFields(_ step: Int, _ operation: LoadOperation, _ stage: Stage, to text: RequestText) {
        guard Self.step(operation) == .open else { return }
        text.text("\r\nIdempotency-Key: ")
        text.text(Array(stage.devices.key(operation.device).utf8))
    }

    func writeBody(_ step: Int, _ operation: LoadOperation, _ stage: Stage, to text: RequestText) {
        switch Self.step(operation) {
        case .open:
            text.field("{\"merchant\":\"", stage.population.merchant(operation.merchant))
            text.text("}")
        case .firstDigit: touch(1, 6, operation, stage, to: text)  // 4711, the population's PIN
        case .secondDigit: touch(1, 7, operation, stage, to: text)
        case .thirdDigit, .fourthDigit: touch(1, 5, operation, stage, to: text)
        case .toPay: touch(3, 3, operation, stage, to: text)
        case .pay:
            text.text("{\"x\":1,\"y\":2,\"touchId\":\"")
            writeTouchID(operation, stage, to: text)
            text.text("\"}")
        case .back: text.text("{}")
        }
    }

    private func touch(_ x: Int, _ y: Int, _ operation: LoadOperation, _ stage: Stage, to text: RequestText) {
        text.text("{\"x\":")
        text.decimal(x)
        text.text(",\"y\":")
        text.decimal(y)
        text.text(",\"touchId\":\"")
        // Another touch after each return to an earlier step; the same when only the answer was lost.
        stage.writeMemo(operation.number, to: text)
        text.text("-")
        text.decimal(operation.steering)
        text.text("-")
        text.decimal(operation.step)
        text.text("\"}")
    }

    /// A UUID of version 7 for the first touch that pays, as clients do; another for each further one.
    private func writeTouchID(_ operation: LoadOperation, _ stage: Stage, to text: RequestText) {
        stage.writeKey(operation.number, to: text)
        guard operation.touches > 0 else { return }
        text.text("-")
        text.decimal(operation.touches)
    }

    // MARK: Answers

    func take(_ answer: AnswerText, of step: Int, into operation: inout LoadOperation, _ stage: Stage) -> Bool {
        let isLocked = answer.after("\"screen\":\"Pin Screen\"") != nil
        switch Self.step(operation) {
        case .open:
            guard let device = answer.identifier("\"device\":\"", of: PartyID.self) else { return false }
            stage.devices[operation.device] = device
            // One that was opened before, whose answer got lost, is where it was.
            goOn(from: isLocked ? .firstDigit : .toPay, &operation)
        case .firstDigit, .secondDigit, .thirdDigit, .back: break
        case .fourthDigit, .toPay: if isLocked { goOn(from: .firstDigit, &operation) }
        case .pay: return takePayment(answer, isLocked, into: &operation, stage)
        }
        return true
    }

    /// Goes on from a step as the next one, with touches that are new ones.
    private func goOn(from step: Step, _ operation: inout LoadOperation) {
        operation.steering += 1
        operation.step = step.rawValue - 1
    }

    private func takePayment(
        _ answer: AnswerText, _ isLocked: Bool, into operation: inout LoadOperation, _ stage: Stage
    ) -> Bool {
        if let receipt = answer.after("\"receipt\":").map(AnswerText.init) {
            operation.receiptDiffers =
                receipt.identifier("{\"operation\":\"") != operation.charge
                || receipt.integer("\"amount\":{\"amount\":") != Int64(operation.amount)
            operation.entry = receipt.integer("\"entry\":") ?? 0
            operation.cardBalance = receipt.integer("\"balance\":{\"amount\":") ?? .min
            return true
        }
        if answer.after("\"error\":\"Payment not confirmed") != nil {
            // The same touch again finds out.
            operation.isUnsettled = true
            return false
        }
        if !operation.isUnsettled {
            // Nothing was paid, and the app says why: a person touches anew.
            operation.touches += 1
            expectCharge(of: &operation, stage)
        }
        goOn(from: isLocked ? .firstDigit : .toPay, &operation)
        return true
    }
}
