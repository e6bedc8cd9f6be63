import Contracts
import Load
import LoadReport
import Primitives
import Testing

@Suite("a day of routines")
struct DayScenarioTests {
    private let scenario = ScenarioList.all.first { $0.name == "day" }!
    private let population = Population(name: "test", customers: 4, cardsEach: 2, merchants: 7)
    private let stage: Stage

    init() {
        stage = Stage(
            driver: .bus, population: population, run: 7, started: Timestamp(milliseconds: 1_795_000_000_000))
    }

    /// An operation as the generator begins it.
    private func begun(_ number: Int) -> LoadOperation {
        var operation = LoadOperation()
        scenario.choose(&operation, stage)
        operation.number = number
        scenario.begin(&operation, stage)
        return operation
    }

    private func text(_ write: (RequestText) -> Void) -> [UInt8] {
        let text = RequestText()
        write(text)
        return Array(text.string.utf8)
    }

    private func take(_ answer: [UInt8], _ step: Int, _ operation: inout LoadOperation) -> Bool {
        answer.withUnsafeBytes { scenario.take(AnswerText($0), of: step, into: &operation, stage) }
    }

    @Test("asks as the contract has it, each operation on a date of its own")
    func asks() throws {
        var dates: Set<CivilDate> = []
        for number in [0, 1, 27, 28, 335, 336, 100_000] {
            let operation = begun(number)
            let customer = population.customer(operation.customer)
            let plan = try Routines.ReadProposal(json: text { scenario.writeAsk(0, operation, stage, to: $0) })
            #expect(plan.account == customer && plan.appointments.count == 1)
            let day = try Routines.ConfirmDay(json: text { scenario.writeAsk(1, operation, stage, to: $0) })
            #expect(day.account == customer && day.day == stage.id(number) && day.date.year >= 2100)
            dates.insert(day.date)
            let mark = try Routines.MarkAction(json: text { scenario.writeAsk(2, operation, stage, to: $0) })
            #expect(mark.day == day.day && mark.done)
            let path = String(decoding: text { scenario.writePath(2, operation, stage, to: $0) }, as: UTF8.self)
            #expect(path == "/v1/schedules/\(day.day.hex)/marks")
        }
        #expect(dates.count == 7)
        #expect(scenario.moves == nil)
    }

    @Test("goes on with the day that the answer names, over the bus and over HTTP")
    func answers() {
        for answer in [Routines.KeptDay(day: Samples.dayView, replayed: false).json, Samples.dayView.json] {
            var operation = begun(1)
            #expect(take(answer, 1, &operation))
            #expect(operation.charge.hex == Samples.day.hex)
        }
        var operation = begun(1)
        #expect(take(Samples.dayView.json, 2, &operation))
        #expect(!take(Samples.bareDay.json, 2, &operation))
        #expect(!take(Array("{}".utf8), 1, &operation))
    }
}
