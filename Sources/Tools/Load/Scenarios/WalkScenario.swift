import Contracts
import Primitives

/// A customer who shares a position walks towards a merchant's place, past its fence or into it, and away again. Nothing
/// is paid.
struct WalkScenario: Scenario {
    let name = "walk"
    let summary = "a customer's phone reports a walk to a merchant's place (6 requests)"
    let steps = [ScenarioStep](
        repeating: ScenarioStep(Location.UpdatePosition.self, by: .customer, isKeyed: false, method: "PUT"),
        count: Track.length)
    let needsCustomerAccount = false
    let movesMoney = false

    func choose(_ deal: inout Deal, _ stage: Stage) {
        deal.card = stage.walks.take() * stage.population.cardsEach
        deal.amount = 0
    }

    func begin(_ deal: inout Deal, _ stage: Stage) {
        deal.walkStart = stage.walks.begin(deal.number, of: deal.customer)
    }

    func end(_ deal: Deal, _ stage: Stage) { stage.walks.giveBack(deal.customer) }

    func writeAsk(_ step: Int, _ deal: Deal, _ stage: Stage, to text: RequestText) {
        text.field("{\"customer\":\"", stage.population.customer(deal.customer))
        text.text(",\"latitude\":")
        writeFix(step, deal, stage, to: text)
    }

    func writePath(_ step: Int, _ deal: Deal, _ stage: Stage, to text: RequestText) { text.text("/v1/location") }

    func writeBody(_ step: Int, _ deal: Deal, _ stage: Stage, to text: RequestText) {
        text.text("{\"latitude\":")
        writeFix(step, deal, stage, to: text)
    }

    private func writeFix(_ step: Int, _ deal: Deal, _ stage: Stage, to text: RequestText) {
        let place = stage.population.point(ofPlace: deal.merchant)
        let point = Track(deal.number, run: stage.run).point(step, around: place)
        var time: [UInt8] = []
        time.reserveCapacity(24)
        Timestamp(milliseconds: deal.walkStart + Int64(step)).appendRFC3339(to: &time)
        text.decimal(Int(point.latitude))
        text.text(",\"longitude\":")
        text.decimal(Int(point.longitude))
        text.text(",\"time\":\"")
        text.text(time)
        text.text("\"}")
    }

    /// Each fix is newer than all before it and none is old: whatever is not stored is asked again, and stays open.
    func take(_ answer: AnswerText, of step: Int, into deal: inout Deal, _ stage: Stage) -> Bool {
        answer.after("\"outcome\":\"stored\"") != nil
    }
}
