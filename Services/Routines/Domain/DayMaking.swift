import Contracts
import Primitives

/// What a person asks for, as values: a proposal, and the parts of a day to be kept.
package enum DayMaking {
    /// - Parameter routines: all that the account has.
    /// - Throws: refusals of `Routines.ReadProposal`.
    package static func proposal(
        _ ask: Routines.ReadProposal, from routines: some Sequence<Routines.RoutineView>
    ) throws(Fault) -> Routines.ReadProposal.Reply {
        var wanted: Set<String>?
        if let tags = ask.tags {
            var texts: Set<String> = []
            for tag in tags { texts.insert(try Tag(tag).text) }
            wanted = texts
        }
        var appointments: [Day.Part] = []
        for one in ask.appointments {
            appointments.append(
                Day.Part(
                    appointment: try one.name.checked(), start: Int(one.start), minutes: one.minutes.map { Int($0) }))
        }
        try Day.checkTimes(appointments.map(\.time))
        let chosen = Dictionary(
            uniqueKeysWithValues: routines.filter { wanted?.contains($0.tag) ?? true }.map { ($0.number, $0) })
        let schedule = Schedule(
            of: chosen.values.map {
                .init(
                    number: $0.number, minutes: Int($0.minutes), window: Tag.window(of: $0.tag), priority: $0.priority)
            }, around: appointments.map(\.time), from: Int(ask.from ?? 0))
        // A day has no room for more entries: routines behind the last one are left out, appointments never.
        let placed = schedule.placed.sorted { $0.time.lowerBound < $1.time.lowerBound }
        let room = max(0, Routines.entriesMax - appointments.count)
        let routines = placed.prefix(room).compactMap { place in
            chosen[place.number].map {
                Routines.PlannedEntry(
                    routine: $0.routine, name: $0.name, start: Int64(place.time.lowerBound), minutes: $0.minutes)
            }
        }
        let fixed = appointments.map {
            Routines.PlannedEntry(name: $0.name, start: Int64($0.start), minutes: Int64($0.minutes))
        }
        return .init(
            entries: (routines + fixed).sorted { $0.start < $1.start },
            left: (schedule.left + placed.dropFirst(room).map(\.number)).compactMap { chosen[$0] }
                .map(Routines.LeftOut.init))
    }

    /// - Throws: refusals of `Routines.ConfirmDay`.
    package static func parts(
        of entries: [Routines.NewEntry],
        from material: (
            routines: [Routines.RoutineID: Routines.RoutineView], images: Set<Routines.ImageID>
        )
    ) throws(Fault) -> [Day.Part] {
        var parts: [Day.Part] = []
        for entry in entries {
            switch (entry.routine, entry.appointment) {
            case (let id?, nil):
                guard let routine = material.routines[id] else { throw Fault(.routineNotFound) }
                parts.append(Day.Part(routine, start: Int(entry.start)))
            case (nil, let label?):
                let name = try label.checked()
                guard name.ownImages.allSatisfy(material.images.contains) else { throw Fault(.routineImageNotFound) }
                parts.append(
                    Day.Part(appointment: name, start: Int(entry.start), minutes: entry.minutes.map { Int($0) }))
            default: throw Fault(.dayEntryInvalid, "an entry has either 'routine' or 'appointment'")
            }
        }
        return parts
    }
}

extension Routines.LeftOut {
    fileprivate init(_ routine: Routines.RoutineView) {
        self.init(routine: routine.routine, name: routine.name, minutes: routine.minutes)
    }
}
