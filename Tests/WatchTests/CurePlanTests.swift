import Contracts
import Testing
import Watch

@Suite("Where a reader goes on")
struct CurePlanTests {
    private func reader(at position: Int64, _ trouble: ReaderState.Trouble?) -> ReaderState {
        ReaderState(service: "notifications", source: "offers", position: position, trouble: trouble)
    }

    @Test("another log: its facts count as applied up to the newest, or up to the chosen one")
    func diverged() throws {
        let all = try #require(CurePlan(reader(at: 7, .diverged), head: 9))
        #expect(all.to == 9 && all.leftOut == 1...9 && all.repeated == nil && all.fresh == nil)
        let some = try #require(CurePlan(reader(at: 7, .diverged), head: 9, to: 2))
        #expect(some.leftOut == 1...2 && some.repeated == 3...7 && some.fresh == 8...9)
        let shorter = try #require(CurePlan(reader(at: 7, .diverged), head: 5, to: 0))
        #expect(shorter.leftOut == nil && shorter.repeated == 1...5 && shorter.fresh == nil)
    }

    @Test("a fact that the reader does not get past is left out alone")
    func stopped() throws {
        let plan = try #require(CurePlan(reader(at: 7, .stopped), head: 9))
        #expect(plan.to == 8 && plan.leftOut == 8...8 && plan.repeated == nil && plan.fresh == 9...9)
        let back = try #require(CurePlan(reader(at: 7, .stopped), head: 9, to: 5))
        #expect(back.leftOut == nil && back.repeated == 6...7 && back.fresh == 8...9)
    }

    @Test("there is no plan for a reader that goes on by itself")
    func well() { #expect(CurePlan(reader(at: 7, nil), head: 9) == nil) }

    @Test("the plan says what is left out and what is applied again, and what that means")
    func text() throws {
        let text = try #require(CurePlan(reader(at: 7, .diverged), head: 9, to: 2)).text
        #expect(text.contains("the cursor is at 7, offers's log ends at 9; the cursor moves to 2"))
        #expect(text.contains("left out: facts 1 to 2 of the log as it is. \(Notifications.withoutFacts)"))
        #expect(text.contains("facts 3 to 7. \(Notifications.withRepeatedFacts)"))
        #expect(text.contains("read from there on: facts 8 to 9") && text.contains("no money is moved"))
    }

    @Test("readers are found in a process's figures")
    func figures() {
        func gauge(_ name: String, _ source: String, _ value: Int64) -> ServiceStats.Sample {
            ServiceStats.Sample(name: name, kind: "gauge", labels: ["source": source], value: value)
        }
        let stats = ServiceStats(
            service: "notifications", uptimeMilliseconds: 1, residentKiB: 1,
            metrics: [
                gauge("facts_position", "auth", 3), gauge("facts_diverged", "auth", 0),
                gauge("facts_stopped", "auth", 0), gauge("facts_position", "offers", 7),
                gauge("facts_diverged", "offers", 1), gauge("facts_stopped", "offers", 1)
            ])
        #expect(
            ReaderState.readers(in: stats) == [
                ReaderState(service: "notifications", source: "auth", position: 3, trouble: nil),
                reader(at: 7, .diverged)
            ])
    }
}
