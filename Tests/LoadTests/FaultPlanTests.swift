import Load
import Testing

@Suite struct FaultPlanTests {
    private func span(_ text: String) -> Span { Span(text)! }

    @Test func wordsBecomeFaults() throws {
        #expect(try FaultPlan.fault("kill wallet every 5s") == .init(kind: .kill, target: "wallet", every: span("5s")))
        #expect(
            try FaultPlan.fault("stop broker for 2s at 300ms every 10s")
                == .init(kind: .stop(span("2s")), target: "broker", at: span("300ms"), every: span("10s")))
        #expect(try FaultPlan.fault("stop broker for 2s").description == "stop broker for 2s")
    }

    @Test(arguments: [
        "", "kill", "kill wallet for 2s", "stop broker", "halt broker for 2s", "kill wallet every",
        "kill wallet every x",
        "stop broker for 2s for 3s", "stop broker for 5s every 2s", "kill wallet every 10ms", "kill wallet now 5s"
    ])
    func otherWordsAreRefused(_ text: String) {
        #expect(throws: LoadUsageError.self) { try FaultPlan.fault(text) }
    }

    @Test func onceIsHalfway() throws {
        let plan = FaultPlan(faults: [try FaultPlan.fault("kill wallet")])
        #expect(plan.events(within: span("10s")).map(\.offset) == [span("5s")])
    }

    @Test func everyRepeatsUntilTheEnd() throws {
        let plan = FaultPlan(faults: [
            try FaultPlan.fault("kill wallet every 3s"), try FaultPlan.fault("stop broker for 1s at 1s every 4s")
        ])
        let events = plan.events(within: span("10s"))
        #expect(events.map(\.offset) == [span("1s"), span("3s"), span("5s"), span("6s"), span("9s"), span("9s")])
        #expect(events.filter { $0.fault.target == "wallet" }.map(\.offset) == [span("3s"), span("6s"), span("9s")])
    }

    @Test func nothingHappensBehindTheEnd() throws {
        let plan = FaultPlan(faults: [try FaultPlan.fault("kill wallet at 10s")])
        #expect(plan.events(within: span("10s")).isEmpty)
    }

    @Test func faultsThatCanNeverHappenAreRefused() throws {
        func refusal(_ text: String, given: [String] = []) throws -> String? {
            let plan = FaultPlan(faults: [try FaultPlan.fault(text)])
            do throws(LoadUsageError) { try plan.check(within: span("10s"), given: given) } catch {
                return error.description
            }
            return nil
        }
        #expect(try refusal("kill purse")?.contains("there is no process 'purse'") == true)
        #expect(try refusal("kill purse", given: ["purse"]) == nil)
        #expect(try refusal("kill wallet every 1m")?.contains("never happens") == true)
        #expect(try refusal("stop broker for 1s at 10s")?.contains("never happens") == true)
        #expect(try refusal("kill all at 9s") == nil)
        for name in FaultPlan.processes { #expect(try refusal("kill \(name)") == nil) }
        #expect(Set(FaultPlan.processes).isSuperset(of: ["gateway", "broker", "notifications"]))
    }

    @Test func processesAreRead() throws {
        #expect(try ProcessTable.parse("broker=12,wallet=34") == ["broker": 12, "wallet": 34])
        #expect(throws: LoadUsageError.self) { try ProcessTable.parse("broker") }
        #expect(throws: LoadUsageError.self) { try ProcessTable.parse("broker=-3") }
    }
}
