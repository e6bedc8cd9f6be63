import Contracts
import Primitives

/// A customer looks at the list of shops and at a merchant's page. Nothing is paid.
struct ShopScenario: Scenario {
    let name = "shop"
    let summary = "a customer looks at the list of shops and at a page (2 requests)"
    let steps = [
        ScenarioStep(Storefront.ReadPages.self, by: .customer, isKeyed: false, method: "GET"),
        ScenarioStep(Storefront.ReadPage.self, by: .customer, isKeyed: false, method: "GET")
    ]
    let needsCustomerAccount = false
    let moves: MovementKind? = nil

    func choose(_ operation: inout LoadOperation, _ stage: Stage) { operation.amount = 0 }

    func writeAsk(_ step: Int, _ operation: LoadOperation, _ stage: Stage, to text: RequestText) {
        if step == 0 {
            text.text("{\"skip\":0,\"limit\":20}")
        } else {
            text.field("{\"merchant\":\"", stage.population.merchant(operation.merchant))
            text.text("}")
        }
    }

    func writePath(_ step: Int, _ operation: LoadOperation, _ stage: Stage, to text: RequestText) {
        if step == 0 {
            text.text("/v1/shops?limit=20")
        } else {
            text.text("/v1/shops/")
            text.hex(stage.population.merchant(operation.merchant))
        }
    }

    func writeBody(_ step: Int, _ operation: LoadOperation, _ stage: Stage, to text: RequestText) {}

    /// What is not the page that was written is asked again, and stays open.
    func take(_ answer: AnswerText, of step: Int, into operation: inout LoadOperation, _ stage: Stage) -> Bool {
        if step == 0 { return answer.after("\"pages\":[{") != nil }
        let name = answer.plainText("\"name\":\"").map { String(decoding: $0, as: UTF8.self) }
        return answer.identifier("\"merchant\":\"") == stage.population.merchant(operation.merchant)
            && name == LoadShop.name(operation.merchant)
    }
}

/// The page that each merchant of a load has.
enum LoadShop {
    static func name(_ merchant: Int) -> String { "Load \(merchant)" }

    static func page(_ merchant: Int) -> Storefront.Page {
        Storefront.Page(
            name: name(merchant), logo: name(merchant),
            theme: .init(paper: "#ffffff", ink: "#1b1b1b", accent: "#00558c"), welcome: "Good morning.",
            about: "A shop of a load test.", address: "1 Aspen Avenue, Flagstaff", phone: "+1 928 555 0100",
            zone: "America/Phoenix", hours: (1...7).map { .init(day: $0, opens: 540, closes: 1080) },
            events: (1...10).map { year in
                .init(
                    date: CivilDate(year: 2000 + year, month: 5, day: 1)!, name: "Year \(year)",
                    text: "Something happened.")
            })
    }
}
