import Glibc

/// A thread of its own for a loop that blocks: Swift's pool has as many threads as cores and none to spare.
package struct OSThread {
    private final class Body {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    private var id = pthread_t()

    package init(_ run: @escaping @Sendable () -> Void) {
        let body = Unmanaged.passRetained(Body(run))
        let failure = pthread_create(
            &id, nil,
            { raw in
                let body = Unmanaged<Body>.fromOpaque(raw!).takeRetainedValue()
                body.run()
                return nil
            }, body.toOpaque())
        precondition(failure == 0, "cannot start a thread: \(String(cString: strerror(failure)))")
    }

    package func join() { pthread_join(id, nil) }

    /// Lets the thread end by itself, unwaited for.
    package func detach() { pthread_detach(id) }
}
