import Bus
import Contracts
import Primitives

/// What the handlers of routines share.
package final class RoutineService: Sendable {
    let store: RoutineStore
    let clock: WallClock

    package init(store: RoutineStore, clock: WallClock = .system) {
        self.store = store
        self.clock = clock
    }

    /// Publishes what is due. Call it every second: also what became due while the process was away.
    ///
    /// - Throws: `bus.unavailable`. What was not published then is published the next time.
    package func remind() async throws(Fault) {
        while try await store.remind(at: clock.now()) {}
    }

    /// One handler for each type that the service answers.
    package var handlers: [any Answering] {
        [
            CreateRoutineHandler(service: self), ChangeRoutineHandler(service: self),
            ReadRoutinesHandler(service: self), DeleteRoutineHandler(service: self), ReadOfferedHandler(),
            ReadProfileHandler(service: self), SetProfileHandler(service: self),
            AddImageHandler(service: self), ReadImagesHandler(service: self), ReadImageHandler(service: self),
            RemoveImageHandler(service: self),
            ReadProposalHandler(service: self), ConfirmDayHandler(service: self), CopyDayHandler(service: self),
            ReadDayHandler(service: self), ReadDaysHandler(service: self), DeleteDayHandler(service: self),
            MarkActionHandler(service: self), RemoveEntryHandler(service: self)
        ]
    }
}
