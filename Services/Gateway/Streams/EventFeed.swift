import NIOCore

/// What an event stream writes, turn by turn. Between two turns no task of it exists: an open stream to which nothing
/// comes costs what it remembers, and no more.
package protocol EventFeed: Sendable {
    /// Has `wake` called whenever there may be something to write, on any thread. Only the newest `wake` is called.
    func whenDue(_ wake: @escaping @Sendable () -> Void)

    /// Writes what there is to write. The first turn comes without a wake; turns of one stream never overlap.
    ///
    /// - Parameter write: returns when the bytes have left for the client, and throws when they cannot.
    /// - Returns: false once the stream has ended.
    func turn(_ write: (ByteBuffer) async throws -> Void) async throws -> Bool
}
