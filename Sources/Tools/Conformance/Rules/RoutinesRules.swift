import Contracts
import Primitives

/// How days are planned, kept and reminded of.
enum RoutinesRules {
    static let all = [algorithm, replacing, reminder]

    /// A morning with room for two of three routines.
    private static let algorithm = Case(
        "routines/algorithm",
        "appointments stay, high priorities go first, then the older routine, and what has no place is reported",
        .changing
    ) { trial in
        let account: PartyID = trial.world.id()
        for (name, minutes, priority) in [
            ("old", 120, Routines.Priority.normal), ("young", 120, .normal), ("urgent", 120, .high)
        ] as [(String, Int64, Routines.Priority)] {
            _ = try await trial.asker.ask(
                Routines.CreateRoutine(
                    account: account, routine: trial.world.id(), name: Routines.Label(text: name), tag: "morning",
                    actions: [Routines.Action(name: Routines.Label(text: name), minutes: minutes, priority: priority)]))
        }
        let plan = try await trial.asker.ask(
            Routines.ReadProposal(
                account: account, tags: ["morning"],
                appointments: [Routines.Appointment(name: Routines.Label(text: "Doctor"), start: 480, minutes: 60)]))
        let entries = plan.entries.map { "\($0.start) \($0.name.text ?? "")" }
        try require(entries == ["360 urgent", "480 Doctor", "540 old"], "the day is \(entries)")
        try require(plan.left.map(\.name.text) == ["young"], "what is left out is not reported")
    }

    private static let replacing = Case(
        "routines/replacing", "a date has one schedule, which another one replaces only where that is asked for",
        .changing, type: Routines.ConfirmDay.type
    ) { trial in
        let world = trial.world
        let (date, other) = (CivilDate(written: "2099-01-02"), CivilDate(written: "2099-01-03"))
        let account: PartyID = world.id()
        func confirmed(_ text: String, on date: CivilDate, replace: Bool?) -> Routines.ConfirmDay {
            Routines.ConfirmDay(
                account: account, day: world.id(), date: date, zone: "Etc/UTC",
                entries: [Routines.NewEntry(appointment: Routines.Label(text: text), start: 480)], replace: replace)
        }
        func copied(from: CivilDate, to: CivilDate, replace: Bool?) -> Routines.CopyDay {
            Routines.CopyDay(
                account: account, day: world.id(), from: from, date: to, zone: "Etc/UTC", replace: replace)
        }
        func expect(_ name: String, on date: CivilDate) async throws {
            let names = try await world.ask(Routines.ReadDay(account: account, date: date)).entries.map(\.name.text)
            try require(names == [name], "of two schedules of \(date), the date has \(names)")
        }
        _ = try await trial.asker.ask(confirmed("Doctor", on: date, replace: nil))
        _ = try await trial.asker.ask(confirmed("Dentist", on: other, replace: false))
        for replace in [nil, false] {
            try await trial.expect(
                confirmed("Hairdresser", on: date, replace: replace), refusedWith: .dayExists, when: "not replacing")
            try await trial.expect(
                copied(from: date, to: other, replace: replace), refusedWith: .dayExists, when: "not replacing")
        }
        try await expect("Doctor", on: date)
        try await expect("Dentist", on: other)
        _ = try await trial.asker.ask(copied(from: date, to: other, replace: true))
        try await expect("Doctor", on: other)
        _ = try await trial.asker.ask(confirmed("Hairdresser", on: date, replace: true))
        try await expect("Hairdresser", on: date)
    }

    private static let reminder = Case(
        "routines/reminder",
        "an entry is told once when it begins, in the language of its day; a copied day has that of the other or its own",
        .changing, type: Routines.ConfirmDay.type
    ) { trial in
        guard let start = try await trial.log?.head() else { return }
        let world = trial.world
        // Entries begin at whole minutes, and what began before its day was kept is not told: the asks have 20 s.
        let begins = Timestamp(milliseconds: (world.now.milliseconds + 20_000) / 60_000 * 60_000 + 60_000)
        // In a zone where it is noon then, no entry ends after midnight.
        let ahead = 12 - begins.milliseconds / 3_600_000 % 24
        let zone = ahead > 0 ? "Etc/GMT-\(ahead)" : "Etc/GMT+\(-ahead)"
        let local = begins + .seconds(ahead * 3_600)
        let (today, tomorrow) = (CivilDate(of: local), CivilDate(of: local + .seconds(86_400)))
        let minute = local.milliseconds / 60_000 % 1440
        let label = Routines.Label(text: "Water the plants", emoji: "🪴", images: ["dog", "cat"])

        func confirm(_ date: CivilDate, quiet: Bool, _ language: Language?) async throws -> Routines.ConfirmDay {
            let routine = Routines.CreateRoutine(
                account: world.id(), routine: world.id(), name: label, tag: "plants", quiet: quiet,
                actions: [Routines.Action(name: label, minutes: 30, priority: .normal)])
            _ = try await trial.asker.ask(routine)
            let day = Routines.ConfirmDay(
                account: routine.account, day: world.id(), date: date, zone: zone,
                entries: [Routines.NewEntry(routine: routine.routine, start: minute)], language: language)
            _ = try await trial.asker.ask(day)
            return day
        }
        func copy(_ language: Language?) async throws -> Routines.CopyDay {
            let day = try await confirm(tomorrow, quiet: false, .de)
            let copy = Routines.CopyDay(
                account: day.account, day: world.id(), from: tomorrow, date: today, zone: zone, language: language)
            _ = try await trial.asker.ask(copy)
            return copy
        }
        func expect(_ day: Routines.DayID, of account: PartyID, quiet: Bool = false, _ language: Language?) async throws
        {
            let told = try await trial.fact(Routines.ReminderDue.self, after: start) { $0.day == day }
            let clock = [minute / 60, minute % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
            let due = Routines.ReminderDue(
                day: day, account: account, entry: 1, name: label, clock: clock, due: begins, lateMinutes: 0,
                quietUntil: quiet ? begins + .seconds(30 * 60) : nil, time: told.time, language: language)
            try require(told == due && (begins...world.now).contains(told.time), "\(told) was told instead of \(due)")
        }
        let (quiet, plain) = (try await confirm(today, quiet: true, .de), try await confirm(today, quiet: false, nil))
        let (same, other) = (try await copy(nil), try await copy(.en))
        try await Task.sleep(for: begins - world.now)
        try await expect(quiet.day, of: quiet.account, quiet: true, .de)
        try await expect(plain.day, of: plain.account, nil)
        try await expect(same.day, of: same.account, .de)
        try await expect(other.day, of: other.account, .en)
    }
}
