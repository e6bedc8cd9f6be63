import CLinux
import Contracts
import Glibc
import LoadReport
import Primitives

/// What somebody does with the wallet's app open: a shop asks for money, the app shows its home, the customer approves
/// and looks at the history. The app's event stream is open meanwhile (`StreamWatch`).
struct AppScenario: Scenario {
    let name = "app"
    let summary =
        "home, approve a request, history, in an open app (6 requests; HTTP)"
    let steps = [
        ScenarioStep(Payments.RequestCharge.self, by: .merchant),
        ScenarioStep(readBy: .customer), ScenarioStep(readBy: .customer), ScenarioStep(readBy: .customer),
        ScenarioStep(Payments.ApproveCharge.self, by: .customer, isKeyed: false),
        ScenarioStep(readBy: .customer)
    ]
    let needsCustomerAccount = true
    let drivers: Set<LoadDriver> = [.http]
    let askedAgain: AskedAgain? = .approval

    private enum Step: Int { case request, balance, waiting, inbox, approval, history }

    private let charging = ChargeScenario()

    func choose(_ operation: inout LoadOperation, _ stage: Stage) {
        // The home shows the default card, which pays.
        let customer = stage.population.owner(ofCard: operation.card)
        operation.card = (customer + 1) * stage.population.cardsEach - 1
    }

    func writeAsk(_ step: Int, _ operation: LoadOperation, _ stage: Stage, to text: RequestText) {
        preconditionFailure("an app makes requests over HTTP")
    }

    func writePath(_ step: Int, _ operation: LoadOperation, _ stage: Stage, to text: RequestText) {
        switch Step(rawValue: step)! {
        case .request: charging.writePath(0, operation, stage, to: text)
        case .balance: text.text("/v1/cards/default")
        case .waiting: text.text("/v1/charges?state=requested&limit=100")
        case .inbox: text.text("/v1/notices?limit=10")
        case .approval: charging.writePath(1, operation, stage, to: text)
        case .history: text.text("/v1/activities")
        }
    }

    func writeBody(_ step: Int, _ operation: LoadOperation, _ stage: Stage, to text: RequestText) {
        switch Step(rawValue: step)! {
        case .request: charging.writeBody(0, operation, stage, to: text)
        case .approval: charging.writeBody(1, operation, stage, to: text)
        case .balance, .waiting, .inbox, .history: break
        }
    }

    func take(_ answer: AnswerText, of step: Int, into operation: inout LoadOperation, _ stage: Stage) -> Bool {
        switch Step(rawValue: step)! {
        case .request: return charging.take(answer, of: 0, into: &operation, stage)
        case .approval: return charging.take(answer, of: 1, into: &operation, stage)
        case .balance: return answer.integer("\"balance\":{\"amount\":") != nil
        // What was requested before is shown: a page that does not have it is read again.
        case .waiting: return answer.names(operation.charge)
        case .inbox: return answer.integer("\"unread\":") != nil
        // Others may pay with the customer's card meanwhile; the newest entries are on the first page.
        case .history: return answer.names(operation.charge) || answer.after("\"next\":") != nil
        }
    }
}

extension AnswerText {
    /// Whether an id stands anywhere in it.
    fileprivate func names(_ charge: ChargeID) -> Bool {
        let hex = Array(charge.hex.utf8)
        guard let base = bytes.baseAddress else { return false }
        return memmem(base, bytes.count, hex, hex.count) != nil
    }
}
