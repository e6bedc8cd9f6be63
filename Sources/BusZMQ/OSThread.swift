import Glibc

/// A thread of its own for a loop that blocks: Swift's pool has as many threads as cores and none to spare.
package enum OSThread {
    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    package static func start(_ run: @escaping @Sendable () -> Void) {
        var id = pthread_t()
        let failure = pthread_create(
            &id, nil,
            { raw in
                Unmanaged<Body>.fromOpaque(raw!).takeRetainedValue().run()
                return nil
            }, Unmanaged.passRetained(Body(run)).toOpaque())
        precondition(failure == 0, "cannot start a thread: \(String(cString: strerror(failure)))")
        pthread_detach(id)
    }
}
