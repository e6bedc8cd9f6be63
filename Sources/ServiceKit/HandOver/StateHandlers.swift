import Bus
import Contracts
import Logging

/// Begins a hand-over of a service's state.
struct FollowStateHandler<Service: StateOwner>: Answering {
    let source: any StateSource
    let memory: [any MemoryTable]
    let logger: Logger

    func answer(_ ask: FollowState<Service>, in context: AskContext) async throws(Fault) -> FollowedState {
        logger.notice("a program reads the state, to take this one's place")
        return try await source.follow(memory)
    }
}

/// Reads one table of a hand-over.
struct ReadStateHandler<Service: StateOwner>: Answering {
    let source: any StateSource

    func answer(_ ask: ReadState<Service>, in context: AskContext) async throws(Fault) -> StatePage {
        try await source.page(
            of: ask.copy, table: ask.table, after: ask.after, limit: ask.limit)
    }
}

/// Ends the changes of a service's state.
struct SealStateHandler<Service: StateOwner>: Answering {
    let source: any StateSource

    func answer(_ ask: SealState<Service>, in context: AskContext) async throws(Fault) -> SealedState {
        try await source.seal(ask.copy, ask.isSealed)
    }
}
