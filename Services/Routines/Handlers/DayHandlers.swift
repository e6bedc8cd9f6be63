import Bus
import Contracts
import Primitives

struct ReadProposalHandler: Answering {
    let service: RoutineService

    func answer(_ ask: Routines.ReadProposal, in context: AskContext) async throws(Fault) -> Routines.ReadProposal.Reply
    {
        try DayMaking.proposal(ask, from: try await service.store.routinesByID(of: ask.account).values)
    }
}

struct ConfirmDayHandler: Answering {
    let service: RoutineService

    func answer(_ ask: Routines.ConfirmDay, in context: AskContext) async throws(Fault) -> Routines.KeptDay {
        let now = service.clock.now()
        let (day, replayed) = try await service.store.keep(
            ask.day, of: ask.account, on: ask.date, replaces: ask.replace ?? false, fingerprint: ask.fingerprint,
            at: now, because: context
        ) { material throws(Fault) in
            let parts = try DayMaking.parts(of: ask.entries, from: (material.routines, material.images))
            return try Day(
                ask.day, of: ask.account, on: ask.date, zone: ask.zone, language: ask.language, parts: parts,
                at: now)
        }
        return Routines.KeptDay(day: day.view(at: now), replayed: replayed)
    }
}

struct CopyDayHandler: Answering {
    let service: RoutineService

    func answer(_ ask: Routines.CopyDay, in context: AskContext) async throws(Fault) -> Routines.KeptDay {
        let now = service.clock.now()
        let (day, replayed) = try await service.store.keep(
            ask.day, of: ask.account, on: ask.date, replaces: ask.replace ?? false, fingerprint: ask.fingerprint,
            copying: ask.from, at: now, because: context
        ) { material throws(Fault) in
            guard let copied = material.copied else { throw Fault(.dayNotFound) }
            return try Day(
                ask.day, of: ask.account, on: ask.date, zone: ask.zone, language: ask.language ?? copied.language,
                parts: copied.parts, at: now)
        }
        return Routines.KeptDay(day: day.view(at: now), replayed: replayed)
    }
}

struct ReadDayHandler: Answering {
    let service: RoutineService

    func answer(_ ask: Routines.ReadDay, in context: AskContext) async throws(Fault) -> Routines.DayView {
        guard let day = try await service.store.day(of: ask.account, on: ask.date) else { throw Fault(.dayNotFound) }
        return day.view(at: service.clock.now())
    }
}

struct ReadDaysHandler: Answering {
    let service: RoutineService

    func answer(_ ask: Routines.ReadDays, in context: AskContext) async throws(Fault) -> Routines.ReadDays.Reply {
        try await service.store.days(ask)
    }
}

struct MarkActionHandler: Answering {
    let service: RoutineService

    func answer(_ ask: Routines.MarkAction, in context: AskContext) async throws(Fault) -> Routines.DayView {
        let now = service.clock.now()
        // A device whose clock is ahead taps now.
        let tapped = min(ask.time ?? now, now)
        return try await service.store.mark(ask, tapped: tapped, at: now, because: context).view(at: now)
    }
}

struct RemoveEntryHandler: Answering {
    let service: RoutineService

    func answer(_ ask: Routines.RemoveEntry, in context: AskContext) async throws(Fault) -> Routines.DayView {
        try await service.store.remove(ask).view(at: service.clock.now())
    }
}

struct DeleteDayHandler: Answering {
    let service: RoutineService

    func answer(_ ask: Routines.DeleteDay, in context: AskContext) async throws(Fault) -> Routines.DeleteDay.Reply {
        .init(deleted: try await service.store.delete(ask, at: service.clock.now()))
    }
}
