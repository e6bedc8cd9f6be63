import Contracts
import Primitives

/// A customer who shares a position walks towards a merchant's place, past its fence or into it, and away again.
/// Nothing is paid.
struct WalkScenario: Scenario {
    let name = "walk"
    let summary = "a customer's phone reports a walk to a merchant's place (6 requests)"
    let steps = [ScenarioStep](
        repeating: ScenarioStep(Location.UpdatePosition.self, by: .customer, isKeyed: false, method: "PUT"),
        count: Track.length)
    let needsCustomerAccount = false
    let moves: MovementKind? = nil

    func choose(_ operation: inout LoadOperation, _ stage: Stage) {
        operation.card = stage.walks.take() * stage.population.cardsEach
        operation.amount = 0
    }

    func begin(_ operation: inout LoadOperation, _ stage: Stage) {
        operation.walkStart = stage.walks.begin(operation.number, of: operation.customer)
    }

    func end(_ operation: LoadOperation, _ stage: Stage) { stage.walks.giveBack(operation.customer) }

    func writeAsk(_ step: Int, _ operation: LoadOperation, _ stage: Stage, to text: RequestText) {
        text.field("{\"customer\":\"", stage.population.customer(operation.customer))
        text.text(",\"latitude\":")
        writeFix(step, operation, stage, to: text)
    }

    func writePath(_ step: Int, _ operation: LoadOperation, _ stage: Stage, to text: RequestText) {
        text.text("/v1/location")
    }

    func writeBody(_ step: Int, _ operation: LoadOperation, _ stage: Stage, to text: RequestText) {
        text.text("{\"latitude\":")
        writeFix(step, operation, stage, to: text)
    }

    private func writeFix(_ step: Int, _ operation: LoadOperation, _ stage: Stage, to text: RequestText) {
        let place = stage.population.point(ofPlace: operation.merchant)
        let point = Track(operation.number, run: stage.run).point(step, around: place)
        var time: [UInt8] = []
        time.reserveCapacity(24)
        Timestamp(milliseconds: operation.walkStart + Int64(step)).appendRFC3339(to: &time)
        text.decimal(Int(point.latitude))
        text.text(",\"longitude\":")
        text.decimal(Int(point.longitude))
        text.text(",\"time\":\"")
        text.text(time)
        text.text("\"}")
    }

    /// Each fix is newer than all before it and none is old: whatever is not stored is asked again, and stays open.
    func take(_ answer: AnswerText, of step: Int, into operation: inout LoadOperation, _ stage: Stage) -> Bool {
        answer.after("\"outcome\":\"stored\"") != nil
    }
}
