/// Every bound of the broker, in one place, each with its reason. Times are milliseconds.
package struct Limits: Sendable {
    /// Asks held at once, queued and in flight: a bound on memory, far above what two cores serve in a second.
    package var heldAsks = 65_536
    /// Asks waiting for one service: a fraction of a second's work for a fast worker, ten for a slow one.
    package var queuedPerService = 10_000
    /// Asks of one client that wait, for any service: half a queue, so that one client alone cannot shut others out.
    package var queuedPerClient = 5_000
    /// Body bytes waiting for one service; less where memory is short (``MemoryBudget``), as for one client.
    package var queuedBytesPerService = 64 << 20
    /// Body bytes of all asks that wait, so that many services together stay bounded too. An ask that was sent to a
    /// worker has left the broker's memory.
    package var heldBytes = MemoryBudget(process: MemoryBudget.processDefault).asks
    /// Body bytes of asks given to one worker and not yet answered: what one that stopped reading may have waiting.
    package var givenBytesPerWorker = 32 << 20
    /// Asks waiting for services that have no worker: made-up names cannot use up all held asks.
    package var waitingForNobody = 16_384
    /// Body bytes of one message, all its frames together.
    package var bodyBytes = 1 << 20
    /// Body frames of one message: 7/MDP and 18/MDP set no bound.
    package var bodyFrames = 32
    /// Charged for each frame beside its bytes, so that empty frames are not free.
    package var frameOverheadBytes = 64
    /// Service names known at once. A name nobody uses is forgotten when the table is full.
    package var services = 4_096
    /// Services paused at once: all of a set and its operators' own, so that made-up names fill no report.
    package var pauses = 64
    package var workers = 1_024
    /// Peers that get copies of asks at once: each costs every ask a send.
    package var taps = 8
    /// A tap that has not said WATCH for so long is gone.
    package var tapSilenceMs: Int64 = 10_000
    /// Asks given to one of our workers and not yet answered.
    package var creditMax: UInt16 = 4_096
    /// Bytes of a service name in the RFCs' dialects ("printable string") and in ours.
    package var foreignNameBytes = 255
    package var billfoldNameBytes = 63

    /// How long an ask without a deadline waits for a worker.
    package var queueTimeMs: Int64 = 10_000
    /// A deadline further away is brought down to this, and a worker has this long for an ask without one.
    package var deadlineMaxMs: Int64 = 300_000
    /// How often expired asks and workers are looked for: how late a refusal may be.
    package var scanEveryMs: Int64 = 20
    /// Sent to a worker that got nothing else for so long. The Guide's workers use 2,500 with a liveness of 3.
    package var heartbeatEveryMs: Int64 = 1_000
    /// Silence after which a worker of ours is gone.
    package var workerSilenceMs: Int64 = 10_000
    /// The same for an idle foreign worker: never less than 10 s, four times the Guide's interval.
    package var foreignIdleSilenceMs: Int64 = 10_000
    /// A foreign worker is single-threaded and silent while it works: only then does this longer time count.
    /// Above `deadlineMaxMs`, so that its ask has been answered by then.
    package var foreignBusySilenceMs: Int64 = 310_000

    package init() {}
}
