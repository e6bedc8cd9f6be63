import Synchronization
import Wire

/// The file beside a ledger with its head, for the next start to compare.
///
/// It takes the head from the commits, not from the database: what was committed is told here also when the database
/// is gone.
final class HeadFile: Sendable {
    let path: String
    private let committed = Mutex<LedgerHead?>(nil)
    /// The fact that the file names; locked while it is written.
    private let written = Mutex<Int64?>(nil)

    init(path: String) { self.path = path }

    /// Takes note of a head that is committed.
    func follow(_ head: LedgerHead) { committed.withLock { $0 = head } }

    /// Replaces the file where it names an earlier fact. Blocks until it is on the disk.
    ///
    /// - Throws: `LedgerAnchor.Trouble`.
    func write() throws {
        try written.withLock { written in
            guard let head = committed.withLock({ $0 }), head.fact != written else { return }
            try replace(head, durably: true)
            written = head.fact
        }
    }

    /// The same for a process that ends, and whose host goes on: waits neither for the disk nor for another thread
    /// that does.
    func writeLast() {
        guard let head = committed.withLock({ $0 }) else { return }
        try? replace(head, durably: false)  // nobody is left to be told
    }

    private func replace(_ head: LedgerHead, durably: Bool) throws {
        // On PostgreSQL another process of this host may lead by now.
        if let found = try? LedgerAnchor(path: path), found.sequence > head.fact { return }
        try LedgerAnchor(sequence: head.fact, chain: hexDigits(head.chain), origin: path)
            .write(to: path, durably: durably)
    }
}
