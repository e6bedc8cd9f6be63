import Contracts
import Primitives

extension Routines: Specified {
    package static let specification = Specification(
        service: service, needs: [],
        examples: list + images + days + [
            Example(facts: Routines.self), Example(stats: Routines.self), Example(spans: Routines.self),
            Example(backup: Routines.self), Example(follow: Routines.self), Example(state: Routines.self),
            Example(seal: Routines.self)
        ],
        log: FactsSpecification(Routines.self) { trial in _ = try await trial.asker.ask(newRoutine(trial.world)) },
        load: create.load, others: RoutinesRules.all)

    /// Long after any run: no day of the kit is ever over.
    private static let date = CivilDate(written: "2099-01-02")

    private static func newRoutine(_ world: World, of account: PartyID? = nil, tag: String = "pet") -> CreateRoutine {
        CreateRoutine(
            account: account ?? world.id(), routine: world.id(), name: Label(text: "Conformance"), tag: tag,
            actions: [Action(name: Label(text: "Walk the dog", images: ["dog"]), minutes: 30, priority: .normal)])
    }

    /// A day of one routine and one appointment.
    private static func newDay(_ world: World) async throws -> ConfirmDay {
        let routine = newRoutine(world)
        _ = try await world.ask(routine)
        return ConfirmDay(
            account: routine.account, day: world.id(), date: date, zone: "Etc/UTC",
            entries: [
                NewEntry(routine: routine.routine, start: 480), NewEntry(appointment: Label(text: "Doctor"), start: 600)
            ])
    }

    private static func keptDay(_ world: World) async throws -> ConfirmDay {
        let day = try await newDay(world)
        _ = try await world.ask(day)
        return day
    }

    private static let create = Example(
        nobody: CreateRoutine(
            account: nobody(), routine: nobody(), name: Label(text: "Nobody's"), tag: "pet",
            actions: [Action(name: Label(emoji: "🐶"), minutes: 30, priority: .normal)]),
        make: { newRoutine($0) },
        other: {
            CreateRoutine(
                account: $0.account, routine: $0.routine, name: Label(text: "Another"), tag: $0.tag,
                actions: $0.actions)
        },
        reused: .routinesIDReused,
        shows: { ask, world in [try await world.reading(ReadRoutines(account: ask.account, limit: 10))] },
        leadsTo: [RoutineCreated.type],
        expect: { ask, reply, world in
            let read = try await world.ask(ReadRoutines(account: ask.account, limit: 10)).routines
            try require(read == [reply.routine], "the routine was not kept")
        })

    private static let list: [any AskExample] = [
        create,
        Example(
            nobody: ChangeRoutine(
                account: nobody(), routine: nobody(), name: Label(emoji: "🐶"), tag: "pet",
                actions: [Action(name: Label(emoji: "🐶"), minutes: 30, priority: .normal)]),
            nobodyFinds: .refused(.routineNotFound),
            make: { world in
                let made = newRoutine(world)
                _ = try await world.ask(made)
                return ChangeRoutine(
                    account: made.account, routine: made.routine, name: Label(text: "Another name"), tag: "night",
                    quiet: true,
                    actions: [Action(name: Label(text: "Sleep"), minutes: 60, priority: .high)] + made.actions)
            },
            shows: { ask, world in [try await world.reading(ReadRoutines(account: ask.account, limit: 10))] },
            leadsTo: [RoutineChanged.type],
            expect: { ask, view, world in
                let read = try await world.ask(ReadRoutines(account: ask.account, limit: 10)).routines
                try require(read == [view], "the change was not kept")
                try require(
                    view.name == ask.name && view.tag == ask.tag && view.quiet && view.actions == ask.actions,
                    "the routine was changed otherwise")
            }),
        Example(
            nobody: ReadRoutines(account: nobody(), limit: 1), nobodyFinds: .replied,
            make: { world in
                let first = newRoutine(world)
                _ = try await world.ask(first)
                _ = try await world.ask(
                    CreateRoutine(
                        account: first.account, routine: world.id(), name: Label(emoji: "🐱"), tag: "pet",
                        actions: first.actions))
                return ReadRoutines(account: first.account, limit: 10)
            },
            expect: { _, reply, _ in
                try require(reply.routines.map(\.name.emoji) == ["🐱", nil], "the newest routine is not the first")
            }),
        Example(
            nobody: DeleteRoutine(account: nobody(), routine: nobody()), nobodyFinds: .replied,
            make: { world in
                let routine = newRoutine(world)
                _ = try await world.ask(routine)
                return DeleteRoutine(account: routine.account, routine: routine.routine)
            },
            isHarmless: false,
            shows: { ask, world in [try await world.reading(ReadRoutines(account: ask.account, limit: 10))] },
            expect: { _, reply, _ in try require(reply.deleted, "a routine was not deleted") }),
        Example(
            nobody: ReadOffered(), nobodyFinds: .replied, make: { _ in ReadOffered() },
            expect: { _, reply, _ in
                try require(Set(reply.pictures).count == reply.pictures.count, "a picture is offered twice")
            }),
        Example(
            nobody: ReadProfile(account: nobody()), nobodyFinds: .replied,
            make: { world in ReadProfile(account: world.id()) }),
        Example(
            nobody: SetProfile(account: nobody(), colour: .green),
            make: { world in SetProfile(account: world.id(), colour: .purple) },
            shows: { ask, world in [try await world.reading(ReadProfile(account: ask.account))] },
            expect: { ask, view, world in
                let read = try await world.ask(ReadProfile(account: ask.account))
                try require(view.colour == .purple && read == view, "the colour was not kept")
            })
    ]

    private static let images: [any AskExample] = [
        Example(
            nobody: AddImage(account: nobody(), image: nobody(), data: Samples.pixel),
            make: { world in AddImage(account: world.id(), image: world.id(), data: Samples.pixel) },
            other: { AddImage(account: $0.account, image: $0.image, data: white) },
            reused: .routinesIDReused,
            shows: { ask, world in [try await world.reading(ReadImages(account: ask.account))] },
            coupled: ["data"],
            expect: { _, reply, _ in
                try require(
                    (reply.image.kind, reply.image.width, reply.image.height) == (.png, 1, 1),
                    "another image was kept")
            }),
        Example(
            nobody: ReadImages(account: nobody()), nobodyFinds: .replied,
            make: { world in ReadImages(account: try await ownImage(world).account) },
            expect: { _, reply, _ in try require(reply.images.count == 1, "one image reads as \(reply.images.count)") }),
        Example(
            nobody: ReadImage(account: nobody(), image: nobody()), nobodyFinds: .refused(.routineImageNotFound),
            make: { world in
                let image = try await ownImage(world)
                return ReadImage(account: image.account, image: image.image)
            },
            expect: { _, reply, _ in try require(reply.data == Samples.pixel, "the image has other bytes") }),
        Example(
            nobody: RemoveImage(account: nobody(), image: nobody()), nobodyFinds: .replied,
            make: { world in
                let image = try await ownImage(world)
                return RemoveImage(account: image.account, image: image.image)
            },
            isHarmless: false,
            shows: { ask, world in [try await world.reading(ReadImages(account: ask.account))] },
            expect: { _, reply, _ in try require(reply.removed, "an image was not removed") })
    ]

    /// Another PNG of one pixel.
    private static let white =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsTj2FAAAAABJRU5ErkJggg=="

    private static func ownImage(_ world: World) async throws -> AddImage {
        let image = AddImage(account: world.id(), image: world.id(), data: Samples.pixel)
        _ = try await world.ask(image)
        return image
    }

    private static let days: [any AskExample] = [
        Example(
            nobody: ReadProposal(account: nobody(), appointments: []), nobodyFinds: .replied,
            make: { world in
                let routine = newRoutine(world)
                _ = try await world.ask(routine)
                return ReadProposal(
                    account: routine.account, tags: ["pet"],
                    appointments: [Appointment(name: Label(text: "Doctor"), start: 0)], from: 10)
            },
            expect: { _, reply, _ in
                try require(reply.entries.map(\.start) == [0, 60], "the routine is not behind the appointment")
                try require(reply.left.isEmpty, "a routine that fits is left out")
            }),
        Example(
            nobody: ConfirmDay(
                account: nobody(), day: nobody(), date: date, zone: "UTC",
                entries: [NewEntry(routine: nobody(), start: 0)]),
            nobodyFinds: .refused(.routineNotFound),
            make: { world in try await newDay(world) },
            other: {
                ConfirmDay(
                    account: $0.account, day: $0.day, date: $0.date, zone: $0.zone,
                    entries: Array($0.entries.dropFirst()))
            },
            reused: .routinesIDReused,
            shows: { ask, world in [try await world.reading(ReadDay(account: ask.account, date: ask.date))] },
            leadsTo: [DayConfirmed.type], coupled: ["zone"],
            expect: { ask, reply, world in
                let read = try await world.ask(ReadDay(account: ask.account, date: ask.date))
                try require(read == reply.day, "the day was not kept")
            }),
        Example(
            nobody: CopyDay(account: nobody(), day: nobody(), from: date, date: date, zone: "UTC"),
            nobodyFinds: .refused(.dayNotFound),
            make: { world in
                let day = try await keptDay(world)
                return CopyDay(
                    account: day.account, day: world.id(), from: day.date, date: CivilDate(written: "2099-01-03"),
                    zone: "UTC")
            },
            other: {
                CopyDay(
                    account: $0.account, day: $0.day, from: $0.from, date: CivilDate(written: "2099-01-04"),
                    zone: $0.zone)
            },
            reused: .routinesIDReused,
            shows: { ask, world in [try await world.reading(ReadDay(account: ask.account, date: ask.date))] },
            leadsTo: [DayConfirmed.type], coupled: ["zone"],
            expect: { ask, reply, world in
                let original = try await world.ask(ReadDay(account: ask.account, date: ask.from))
                try require(
                    reply.day.entries.map(\.copied) == original.entries.map(\.copied), "the copy has other entries")
            }),
        Example(
            nobody: ReadDay(account: nobody(), date: date), nobodyFinds: .refused(.dayNotFound),
            make: { world in ReadDay(account: try await keptDay(world).account, date: date) },
            expect: { _, day, _ in
                try require(
                    day.next == DayPlace(entry: 1, action: 1) && day.current == nil && !day.isDone,
                    "of a day to come, the first action is not next")
            }),
        Example(
            nobody: ReadDays(account: nobody(), limit: 1), nobodyFinds: .replied,
            make: { world in ReadDays(account: try await keptDay(world).account, limit: 10) },
            expect: { _, reply, _ in try require(reply.days.map(\.date) == [date], "the day is not in the list") }),
        Example(
            nobody: MarkAction(account: nobody(), day: nobody(), entry: 1, action: 1, done: true),
            nobodyFinds: .refused(.dayNotFound),
            make: { world in
                let day = try await keptDay(world)
                return MarkAction(account: day.account, day: day.day, entry: 1, action: 1, done: true)
            },
            shows: { ask, world in [try await world.reading(ReadDay(account: ask.account, date: date))] },
            leadsTo: [ActionDone.type],
            expect: { _, day, _ in try require(day.entries.map(\.isDone) == [true, false], "it is not done") }),
        Example(
            nobody: RemoveEntry(account: nobody(), day: nobody(), entry: 1), nobodyFinds: .refused(.dayNotFound),
            make: { world in
                let day = try await keptDay(world)
                return RemoveEntry(account: day.account, day: day.day, entry: 1)
            },
            shows: { ask, world in [try await world.reading(ReadDay(account: ask.account, date: date))] },
            expect: { _, day, _ in try require(day.entries.map(\.entry) == [2], "it was not removed") }),
        Example(
            nobody: DeleteDay(account: nobody(), day: nobody()), nobodyFinds: .replied,
            make: { world in
                let day = try await keptDay(world)
                return DeleteDay(account: day.account, day: day.day)
            },
            isHarmless: false,
            shows: { ask, world in [try await world.reading(ReadDays(account: ask.account, limit: 10))] },
            expect: { _, reply, _ in try require(reply.deleted, "a day was not deleted") })
    ]
}

extension CivilDate {
    /// A date that is written in the source.
    init(written text: String) {
        guard let date = CivilDate(text) else { preconditionFailure("\(text) is no date") }
        self = date
    }
}

extension Routines.DayEntry {
    /// The values that a copy of it shares.
    fileprivate var copied: [String] {
        ["\(entry) \(start) \(minutes) \(quiet)", routine?.hex ?? "", tag ?? "", "\(name)"]
            + actions.map { "\($0.action) \($0.name) \($0.minutes) \($0.priority)" }
    }
}
