import Contracts
import Primitives
import RoutinesService
import TestKit
import Testing

@Suite("Routines")
struct RoutineTests {
    private typealias Harness = RoutinesHarness

    private func list(_ harness: RoutinesHarness) async throws -> [Routines.RoutineView] {
        try await harness.ask(Routines.ReadRoutines(account: Harness.ada, limit: 100)).routines
    }

    @Test("004-8, 004-10, 004-11, 004-13, 004-36: a routine is read as it was written, its actions in their order")
    func kept() async throws {
        let harness = try Harness()
        let image: Routines.ImageID = harness.id()
        _ = try await harness.ask(Routines.AddImage(account: Harness.ada, image: image, data: Samples.pixel))
        let ask = Routines.CreateRoutine(
            account: Harness.ada, routine: harness.id(), name: .init(text: " Morning ", emoji: "🌅", images: ["sun"]),
            tag: " Morning", quiet: true,
            actions: [
                .init(name: .init(text: "Brush teeth", images: ["toothbrush", image.hex]), minutes: 5, priority: .low),
                .init(name: .init(emoji: "👕"), minutes: 240, priority: .high)
            ])
        let made = try await harness.ask(ask)
        #expect(made.routine.name == .init(text: "Morning", emoji: "🌅", images: ["sun"]))
        #expect(made.routine.tag == "morning")
        #expect(made.routine.actions == ask.actions)
        #expect((made.routine.minutes, made.routine.priority, made.routine.quiet) == (245, .high, true))
        #expect(try await list(harness) == [made.routine])
        #expect(try await harness.ask(ask) == .init(routine: made.routine, replayed: true))
        #expect(try await harness.facts(Routines.RoutineCreated.self).map(\.routine) == [ask.routine])
    }

    @Test("004-14, 004-16, A79: a name is needed, which may be an emoji or an image; so is an action")
    func required() async throws {
        let harness = try Harness()
        let nameless = harness.newRoutine(.init())
        #expect(await refusal { try await harness.ask(nameless) } == .routineNameMissing)
        #expect(await refusal { try await harness.ask(harness.newRoutine(.init(text: " "))) } == .routineNameMissing)
        let idle = harness.newRoutine(.init(text: "Idle"), actions: [])
        #expect(await refusal { try await harness.ask(idle) } == .routineActionsInvalid)
        for name in [Routines.Label(emoji: "🐶"), Routines.Label(images: ["dog"]), Routines.Label(text: "Dog")] {
            _ = try await harness.ask(harness.newRoutine(name))
        }
        #expect(try await list(harness).count == 3)
    }

    @Test(
        "004-15, A74: a name that exists is refused: trimmed, in one Unicode form, in any case; pictures by value",
        arguments: [
            (Routines.Label(text: "Café run"), Routines.Label(text: "  CAFE\u{301} RUN ")),
            (Routines.Label(emoji: "🐶"), Routines.Label(emoji: "🐶")),
            (Routines.Label(images: ["dog", "sun"]), Routines.Label(images: ["dog", "sun"]))
        ])
    func taken(first: Routines.Label, second: Routines.Label) async throws {
        let harness = try Harness()
        let made = try await harness.ask(harness.newRoutine(first)).routine
        #expect(await refusal { try await harness.ask(harness.newRoutine(second)) } == .routineNameTaken)
        _ = try await harness.ask(harness.newRoutine(second, of: Harness.bob))
        _ = try await harness.ask(harness.newRoutine(.init(images: ["sun", "dog"])))
        _ = try await harness.ask(Routines.DeleteRoutine(account: Harness.ada, routine: made.routine))
        _ = try await harness.ask(harness.newRoutine(second))
    }

    @Test("004-17, 004-18: the newest is on top; a deleted one is gone, and stays so")
    func order() async throws {
        let harness = try Harness()
        let first = harness.newRoutine(.init(text: "First"))
        _ = try await harness.ask(first)
        try await harness.create("Second")
        try await harness.create("Third")
        #expect(try await list(harness).map(\.name.text) == ["Third", "Second", "First"])
        let page = try await harness.ask(Routines.ReadRoutines(account: Harness.ada, limit: 2))
        #expect(page.routines.map(\.name.text) == ["Third", "Second"])
        #expect(page.next != nil)
        let rest = try await harness.ask(
            Routines.ReadRoutines(account: Harness.ada, before: page.next, limit: 2))
        #expect(rest.routines.map(\.name.text) == ["First"])
        #expect(rest.next == nil)
        let delete = Routines.DeleteRoutine(account: Harness.ada, routine: first.routine)
        #expect(try await harness.ask(delete).deleted)
        #expect(try await !harness.ask(delete).deleted)
        #expect(await refusal { try await harness.ask(first) } == .routinesIDReused)
        #expect(try await list(harness).map(\.name.text) == ["Third", "Second"])
        // Nothing of what it said is kept.
        let left: [String] = try await harness.store.store.read {
            try $0.values("SELECT name || coalesce(text, '') || tag FROM routines WHERE gone IS NOT NULL")
        }
        let actions: Int? = try await harness.store.store.read { try $0.value("SELECT count(*) FROM actions") }
        #expect((left, actions) == ([""], 2))
    }

    @Test("an account has its own routines alone")
    func apart() async throws {
        let harness = try Harness()
        let routine = try await harness.create("Ada's")
        #expect(try await harness.ask(Routines.ReadRoutines(account: Harness.bob, limit: 9)).routines == [])
        let delete = Routines.DeleteRoutine(account: Harness.bob, routine: routine.routine)
        #expect(try await !harness.ask(delete).deleted)
    }

    @Test(
        "labels hold one emoji, text that can be seen, and images that there are",
        arguments: [
            Routines.Label(emoji: "ab"), Routines.Label(emoji: "a"), Routines.Label(emoji: "1"),
            Routines.Label(text: "a\u{202E}b"), Routines.Label(images: ["no-such-picture"]),
            Routines.Label(text: "x", images: ["../../etc"])
        ])
    func labels(label: Routines.Label) async throws {
        let harness = try Harness()
        #expect(await refusal { try await harness.ask(harness.newRoutine(label)) } == .routineLabelInvalid)
        let other = Routines.Label(images: [(harness.id() as Routines.ImageID).hex])
        #expect(await refusal { try await harness.ask(harness.newRoutine(other)) } == .routineImageNotFound)
    }

    @Test("004-9, 004-46: every offered action is one that a routine takes")
    func offered() async throws {
        let harness = try Harness()
        let offered = try await harness.ask(Routines.ReadOffered())
        #expect(offered.actions.count > 10)
        for (index, one) in offered.actions.enumerated() {
            let action = Routines.Action(name: one.name, minutes: one.minutes, priority: one.priority)
            try await harness.create("Routine \(index)", actions: [action])
        }
        #expect(offered.tags.map(\.tag) == ["morning", "afternoon", "evening", "night"])
    }

    @Test("004-47: the colour is green until another is chosen")
    func colour() async throws {
        let harness = try Harness()
        #expect(try await harness.ask(Routines.ReadProfile(account: Harness.ada)).colour == .green)
        _ = try await harness.ask(Routines.SetProfile(account: Harness.ada, colour: .purple))
        #expect(try await harness.ask(Routines.ReadProfile(account: Harness.ada)).colour == .purple)
        #expect(try await harness.ask(Routines.ReadProfile(account: Harness.bob)).colour == .green)
    }

    @Test("004-8 to 004-12: a routine is changed in its place; the day that was made with it stays")
    func changed() async throws {
        let harness = try Harness()
        let first = try await harness.ask(harness.newRoutine(.init(text: "Walk"))).routine
        _ = try await harness.ask(harness.newRoutine(.init(text: "Sleep")))
        let day = try await harness.confirm([.init(routine: first.routine, start: 1200)])
        func change(_ name: String, of account: PartyID = Harness.ada) -> Routines.ChangeRoutine {
            Routines.ChangeRoutine(
                account: account, routine: first.routine, name: .init(text: name), tag: "Night", quiet: true,
                actions: [.init(name: .init(emoji: "🐶"), minutes: 7, priority: .high)] + first.actions)
        }
        let view = try await harness.ask(change(" Long walk "))
        #expect((view.number, view.name.text, view.tag, view.quiet) == (first.number, "Long walk", "night", true))
        #expect(view.actions == change("").actions)
        #expect(try await list(harness).map(\.name.text) == ["Sleep", "Long walk"])
        #expect(try await harness.ask(change("Long walk")) == view)
        #expect(try await harness.facts(Routines.RoutineChanged.self).map(\.routine) == [first.routine])
        let kept = try await harness.ask(Routines.ReadDay(account: Harness.ada, date: Harness.date))
        #expect(kept.entries.map(\.name) == day.entries.map(\.name))
        #expect(kept.entries[0].actions == day.entries[0].actions)
        #expect(await refusal { try await harness.ask(change("SLEEP")) } == .routineNameTaken)
        #expect(await refusal { try await harness.ask(change("x", of: Harness.bob)) } == .routineNotFound)
        _ = try await harness.ask(Routines.DeleteRoutine(account: Harness.ada, routine: first.routine))
        #expect(await refusal { try await harness.ask(change("Walk")) } == .routineNotFound)
    }
}
