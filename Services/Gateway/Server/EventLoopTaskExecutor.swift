import NIOCore
import Synchronization

/// Runs tasks on an event loop's own thread, so that a request's handler and the socket it came from need no second
/// thread and no waking of one.
///
/// Jobs are queued here and run by the dozen in one tick of the loop: a tick for each would cost an event each.
package final class EventLoopTaskExecutor: TaskExecutor {
    /// Jobs run before the loop looks after its sockets again.
    private static let jobsInTickMax = 1024

    private struct Queue {
        var jobs: [UnownedJob] = []
        /// Whether a tick that will run them is under way or on its way.
        var isScheduled = false
    }

    private let loop: any EventLoop
    private let queue = Mutex(Queue())

    package init(_ loop: any EventLoop) { self.loop = loop }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let mustSchedule = queue.withLock { queue in
            queue.jobs.append(job)
            defer { queue.isScheduled = true }
            return !queue.isScheduled
        }
        if mustSchedule { loop.execute { self.tick() } }
    }

    private func tick() {
        var jobs: [UnownedJob] = []
        var count = 0
        while count < Self.jobsInTickMax {
            jobs.removeAll(keepingCapacity: true)
            let isDone = queue.withLock { queue in
                // The emptied array goes back and forth, so that neither has to grow again.
                swap(&queue.jobs, &jobs)
                if jobs.isEmpty { queue.isScheduled = false }
                return jobs.isEmpty
            }
            if isDone { return }
            for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
            count += jobs.count
        }
        loop.execute { self.tick() }
    }
}
