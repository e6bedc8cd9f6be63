import Bus
import Contracts
import Primitives
import Sodium
import Synchronization
import Wire

/// SHA-256 of a bearer token's text: all that the gateway keeps of it, and all that the bus sees.
package struct TokenDigest: Hashable, Sendable {
    private let words: (UInt64, UInt64, UInt64, UInt64)

    package init(of token: [UInt8]) {
        words = Digest.sha256(token).withUnsafeBytes { buffer in
            func word(_ index: Int) -> UInt64 {
                UInt64(bigEndian: buffer.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
            }
            return (word(0), word(1), word(2), word(3))
        }
    }

    /// The token of an `Authorization` field (RFC 6750 section 2.1); nil when it is none.
    package init?(authorization value: String) {
        let utf8 = value.utf8
        // 2 KiB: far more than a token has, far less than hashing would cost something.
        guard (8...2048).contains(utf8.count), utf8.starts(with: "bearer ".utf8, by: { $0 | 0x20 == $1 }) else {
            return nil
        }
        let token = Array(utf8.dropFirst(7))
        guard token.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        self.init(of: token)
    }

    package var hex: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(64)
        Identifier<Never>(high: words.0, low: words.1).appendHex(to: &bytes)
        Identifier<Never>(high: words.2, low: words.3).appendHex(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    package static func == (left: TokenDigest, right: TokenDigest) -> Bool { left.words == right.words }
    /// A quarter of a digest is as good as all of it: only tokens that auth has made get into the table.
    package func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
}

/// A session as auth told it.
struct LiveSession: Sendable {
    let digest: TokenDigest
    let view: Auth.SessionView
    /// Which reading of it this is; 0 for one that `Sessions` did not read.
    var reading: UInt64 = 0

    /// Whether the PIN was verified in this session and still counts. Money moves only then.
    func hasPIN(at now: Timestamp) -> Bool { view.pinVerifiedUntil.map { $0 > now } ?? false }
}

/// Sessions by token, asked of auth and remembered for a moment.
package final class Sessions: Sendable {
    private struct Entry {
        let view: Auth.SessionView
        let reading: UInt64
        let read: Timestamp
        /// When it is to be read again although it is fresh: at another age for each, so that sessions that were read
        /// at the same time, as by a load's customers, do not all come to auth at the same time again. Who begins to
        /// read it moves this on, so that the others need not.
        var due: Timestamp
    }

    private struct State {
        var entries: AgingTable<TokenDigest, Entry>
        /// Where the entry of a session is. Forgets in step with the entries.
        var digests: AgingTable<SessionID, TokenDigest>
        /// Grows with every change that did not come from reading. What was asked for before a change is not
        /// remembered after it: it may be from before.
        var changes: UInt64 = 0
        var readings: UInt64 = 0
        /// What auth has published of changes; nil where nobody listens.
        var hints: AuthHints?
    }

    /// How long a session is believed while auth's facts do not come: as long as a missed one would go unnoticed.
    private static let lifetimeWithoutHints = Duration.seconds(1)

    private let state: Mutex<State>
    private let countMax: Int
    private let lifetime: Duration

    init(countMax: Int, lifetime: Duration) {
        state = Mutex(State(entries: AgingTable(capacity: countMax), digests: AgingTable(capacity: countMax)))
        self.countMax = countMax
        self.lifetime = lifetime
    }

    /// The session of a token: as auth told it a moment ago, or asked of auth. Faults: as of `read`.
    ///
    /// One that is in use is read again behind the requests that use it, before it is too old: none of them waits for
    /// auth.
    ///
    /// - Parameter needsPIN: one that is remembered without a PIN is read again: it may have been entered at another
    ///   gateway.
    nonisolated(nonsending) func session(
        of digest: TokenDigest, needsPIN: Bool = false, at now: Timestamp, asking: any Asking, in context: AskContext
    ) async throws(Fault) -> LiveSession {
        guard let (session, isMineToRead) = known(digest, at: now), !needsPIN || session.hasPIN(at: now) else {
            return try await read(digest, at: now, asking: asking, in: context)
        }
        if isMineToRead { Task { await readAgain(digest, at: now, asking: asking, in: context) } }
        return session
    }

    /// The session of a token, if it was read a moment ago, and whether who asks for it is the one to read it again.
    private func known(_ digest: TokenDigest, at now: Timestamp) -> (LiveSession, isMineToRead: Bool)? {
        state.withLock { state in
            guard var entry = state.entries[digest], isFresh(entry, state.hints, at: now) else { return nil }
            let isMine = now >= entry.due
            if isMine {
                entry.due = now + lifetime / 20
                state.entries[digest] = entry
            }
            return (LiveSession(digest: digest, view: entry.view, reading: entry.reading), isMine)
        }
    }

    private func readAgain(_ digest: TokenDigest, at now: Timestamp, asking: any Asking, in context: AskContext) async {
        do throws(Fault) {
            _ = try await read(digest, at: now, asking: asking, in: context)
        } catch {
            // With another trouble it may be used until it is too old; it is tried again soon.
            if error.code == .sessionNotFound { state.withLock { $0.entries[digest] = nil } }
        }
    }

    /// Asks auth for the session of a token. Faults: `auth.session_not_found`, those of the bus.
    nonisolated(nonsending) func read(
        _ digest: TokenDigest, at now: Timestamp, asking: any Asking, in context: AskContext
    ) async throws(Fault) -> LiveSession {
        let changes = state.withLock(\.changes)
        let view = try await asking.ask(Auth.ReadSession(tokenDigest: digest.hex), in: context)
        guard view.expires > now else { throw Fault(.sessionNotFound) }
        return state.withLock { state in
            guard state.changes == changes else { return LiveSession(digest: digest, view: view) }
            let entry = entry(view, at: now, &state)
            state.entries[digest] = entry
            state.digests[view.session] = digest
            return LiveSession(digest: digest, view: view, reading: entry.reading)
        }
    }

    private func entry(_ view: Auth.SessionView, at now: Timestamp, _ state: inout State) -> Entry {
        state.readings &+= 1
        // At 50 to 90 % of its lifetime: auth has the rest to answer in.
        let percent = 50 + Int(Randomness.shared.pair().0 % 41)
        return Entry(view: view, reading: state.readings, read: now, due: now + lifetime * percent / 100)
    }

    /// A clock that was set back makes entries stale too: their age is unknown.
    private func isFresh(_ entry: Entry, _ hints: AuthHints?, at now: Timestamp) -> Bool {
        let age = now - entry.read
        guard age >= .zero, age < lifetime, entry.view.expires > now else { return false }
        guard let hints, hints.areSilent(at: now) else { return true }
        return age < Self.lifetimeWithoutHints
    }

    /// Asks auth again for a session that has ended or changed.
    func forget(_ session: SessionID) {
        state.withLock { state in
            state.changes &+= 1
            guard let digest = state.digests[session] else { return }
            state.digests[session] = nil
            state.entries[digest] = nil
        }
    }

    /// Takes note of how far auth's facts have come. A gap may be a session that has ended: all are asked for again.
    package func receive(_ hint: AuthHints.Hint, at now: Timestamp) {
        state.withLock { state in
            if state.hints == nil { state.hints = AuthHints(at: now) }
            guard state.hints?.note(hint, at: now) == .missedSome else { return }
            state.changes &+= 1
            state.entries = AgingTable(capacity: countMax)
            state.digests = AgingTable(capacity: countMax)
        }
    }

    func pinVerified(_ session: LiveSession, until: Timestamp, at now: Timestamp) {
        let view = session.view
        let verified = Auth.SessionView(
            session: view.session, account: view.account, role: view.role, expires: view.expires,
            pinVerifiedUntil: until, transfersHeldUntil: view.transfersHeldUntil)
        state.withLock { state in
            state.changes &+= 1
            guard let present = state.entries[session.digest] else { return }
            // Only what was there before the PIN was checked: a session that has ended meanwhile must not come back,
            // and one that was read again may have lost its PIN since.
            state.entries[session.digest] =
                present.reading == session.reading ? entry(verified, at: now, &state) : nil
        }
    }

    package var count: Int { state.withLock { $0.entries.count } }
}
