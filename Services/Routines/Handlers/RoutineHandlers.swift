import Bus
import Contracts

struct CreateRoutineHandler: Answering {
    let service: RoutineService

    func answer(
        _ ask: Routines.CreateRoutine, in context: AskContext
    ) async throws(Fault) -> Routines.CreateRoutine.Reply {
        try await service.store.create(try CheckedRoutine(ask), at: service.clock.now(), because: context)
    }
}

struct ChangeRoutineHandler: Answering {
    let service: RoutineService

    func answer(_ ask: Routines.ChangeRoutine, in context: AskContext) async throws(Fault) -> Routines.RoutineView {
        try await service.store.change(try CheckedRoutine(ask), at: service.clock.now(), because: context)
    }
}

struct ReadRoutinesHandler: Answering {
    let service: RoutineService

    func answer(
        _ ask: Routines.ReadRoutines, in context: AskContext
    ) async throws(Fault) -> Routines.ReadRoutines.Reply {
        try await service.store.routines(ask)
    }
}

struct DeleteRoutineHandler: Answering {
    let service: RoutineService

    func answer(
        _ ask: Routines.DeleteRoutine, in context: AskContext
    ) async throws(Fault) -> Routines.DeleteRoutine.Reply {
        .init(deleted: try await service.store.delete(ask, at: service.clock.now()))
    }
}

struct ReadOfferedHandler: Answering {
    func answer(
        _ ask: Routines.ReadOffered, in context: AskContext
    ) async throws(Fault) -> Routines.ReadOffered.Reply { Offered.reply }
}

struct ReadProfileHandler: Answering {
    let service: RoutineService

    func answer(
        _ ask: Routines.ReadProfile, in context: AskContext
    ) async throws(Fault) -> Routines.ProfileView {
        .init(colour: try await service.store.colour(of: ask.account))
    }
}

struct SetProfileHandler: Answering {
    let service: RoutineService

    func answer(_ ask: Routines.SetProfile, in context: AskContext) async throws(Fault) -> Routines.ProfileView {
        try await service.store.set(ask.colour, of: ask.account)
        return .init(colour: ask.colour)
    }
}
