import Contracts
import Primitives

/// A customer shows a pay code, a merchant redeems it.
struct CodeScenario: Scenario {
    let name = "code"
    let summary = "a customer shows a pay code, a merchant redeems it (2 requests)"
    let steps = [
        ScenarioStep(Payments.IssueCode.self, by: .customer, isKeyed: false),
        ScenarioStep(Payments.RedeemCode.self, by: .merchant)
    ]
    let needsCustomerAccount = false

    func writeAsk(_ step: Int, _ operation: LoadOperation, _ stage: Stage, to text: RequestText) {
        if step == 0 {
            text.field("{\"customer\":\"", stage.population.customer(operation.customer))
            text.field(",\"card\":\"", stage.population.card(operation.card))
            text.text("}")
        } else {
            text.field("{\"attempt\":\"", stage.id(operation.number) as OperationID)
            text.text(",\"code\":\"")
            text.text(operation.code)
            text.field("\",\"merchant\":\"", stage.population.merchant(operation.merchant))
            text.amount(operation.amount)
            text.memo(operation.number, stage)
            text.text("}")
        }
    }

    func writePath(_ step: Int, _ operation: LoadOperation, _ stage: Stage, to text: RequestText) {
        text.text(step == 0 ? "/v1/pay-codes" : "/v1/code-payments")
    }

    func writeBody(_ step: Int, _ operation: LoadOperation, _ stage: Stage, to text: RequestText) {
        if step == 0 {
            text.field("{\"card\":\"", stage.population.card(operation.card))
            text.text("}")
        } else {
            text.text("{\"code\":\"")
            text.text(operation.code)
            text.text("\"")
            text.amount(operation.amount)
            text.memo(operation.number, stage)
            text.text("}")
        }
    }

    func take(_ answer: AnswerText, of step: Int, into operation: inout LoadOperation, _ stage: Stage) -> Bool {
        if step == 1 { return answer.takeReceipt(into: &operation, stage) }
        guard let code = answer.plainText("\"code\":\"") else { return false }
        operation.code = Array(code)
        // The charge's id is the code's; the answer will tell it.
        operation.charge = ChargeID(high: 0, low: 0)
        return true
    }
}
