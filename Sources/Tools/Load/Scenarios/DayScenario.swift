import Contracts
import Primitives

/// A customer is proposed a day, confirms it, and completes what is on it. Nothing is paid.
struct DayScenario: Scenario {
    let name = "day"
    let summary = "a customer plans a day, confirms it and completes it (3 requests)"
    let steps = [
        ScenarioStep(Routines.ReadProposal.self, by: .customer, isKeyed: false),
        ScenarioStep(Routines.ConfirmDay.self, by: .customer),
        ScenarioStep(Routines.MarkAction.self, by: .customer, isKeyed: false)
    ]
    let needsCustomerAccount = false
    let moves: MovementKind? = nil

    func choose(_ operation: inout LoadOperation, _ stage: Stage) { operation.amount = 0 }

    func begin(_ operation: inout LoadOperation, _ stage: Stage) {
        operation.charge = stage.id(operation.number)
    }

    func writeAsk(_ step: Int, _ operation: LoadOperation, _ stage: Stage, to text: RequestText) {
        text.field("{\"account\":\"", stage.population.customer(operation.customer))
        if step > 0 { text.field(",\"day\":\"", operation.charge) }
        text.text(",")
        writeRest(step, operation, to: text)
    }

    func writePath(_ step: Int, _ operation: LoadOperation, _ stage: Stage, to text: RequestText) {
        switch step {
        case 0: text.text("/v1/schedules/proposals")
        case 1: text.text("/v1/schedules")
        default:
            text.text("/v1/schedules/")
            text.hex(operation.charge)
            text.text("/marks")
        }
    }

    func writeBody(_ step: Int, _ operation: LoadOperation, _ stage: Stage, to text: RequestText) {
        text.text("{")
        writeRest(step, operation, to: text)
    }

    private func writeRest(_ step: Int, _ operation: LoadOperation, to text: RequestText) {
        switch step {
        case 0: text.text("\"appointments\":[{\"name\":{\"text\":\"Load test\"},\"start\":600}]}")
        case 1:
            text.text("\"date\":\"")
            writeDate(of: operation.number, to: text)
            text.text("\",\"zone\":\"UTC\",\"entries\":[{\"appointment\":{\"text\":\"Load test\"},\"start\":600}]")
            text.text(",\"replace\":true}")
        default: text.text("\"entry\":1,\"action\":1,\"done\":true}")
        }
    }

    /// Operations of one run have dates of their own, so that none replaces another's day; all are far away.
    private func writeDate(of number: Int, to text: RequestText) {
        func two(_ value: Int) {
            if value < 10 { text.text("0") }
            text.decimal(value)
        }
        text.decimal(2100 + number / 336 % 7900)
        text.text("-")
        two(number / 28 % 12 + 1)
        text.text("-")
        two(number % 28 + 1)
    }

    func take(_ answer: AnswerText, of step: Int, into operation: inout LoadOperation, _ stage: Stage) -> Bool {
        switch step {
        case 0: return answer.after("\"entries\":[{") != nil
        case 1:
            // Over HTTP the id is the gateway's.
            guard let day = answer.identifier("\"day\":\"", of: ChargeID.self) else { return false }
            operation.charge = day
            return true
        default: return answer.after("\"state\":\"done\"") != nil
        }
    }
}
