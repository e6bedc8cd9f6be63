import Glibc

/// How a process gets into a NATS cluster.
package struct NATSAccess: Sendable, Equatable {
    package var servers: NATSServers
    /// A file of PEM certificates that sign those of the servers; nil: those that the system trusts.
    package var authorityFile: String?
    /// The PEM certificate by which the servers know this process, and its key; nil: none.
    package var certificateFile: String?
    package var keyFile: String?
    /// A file with `USER:PASSWORD` in its first line, or one of NATS's own `.creds` files; nil: what the servers' names
    /// say.
    package var credentialsFile: String?

    /// A process that the servers let in no more ends, or tries again.
    package enum Refused: Sendable, Equatable {
        /// It ends with this status, and says why.
        case ends(Int32)
        case triesAgain
    }

    package var refused = Refused.ends(EXIT_FAILURE)

    package init(servers: NATSServers) { self.servers = servers }

    /// What a credentials file holds.
    package enum Credentials: Equatable, Sendable {
        case login(NATSLogin)
        case token(NATSToken)
    }

    /// - Returns: nil for a process that has none.
    /// - Throws: ``NATSError`` for a file that cannot be read or holds neither.
    package func credentials() throws(NATSError) -> Credentials? {
        guard let credentialsFile else { return servers.login.map { .login($0) } }
        guard let text = Self.read(credentialsFile) else { throw NATSError("\(credentialsFile) cannot be read") }
        if let token = NATSToken(text) { return .token(token) }
        let line = text.split(whereSeparator: \.isNewline).first ?? ""
        guard let login = NATSLogin(line) else {
            throw NATSError("\(credentialsFile) holds neither USER:PASSWORD nor credentials of NATS")
        }
        return .login(login)
    }

    /// The name under which this process receives answers: that of its user, so that an account's rights can say who
    /// may read them.
    package func inboxName() throws(NATSError) -> String {
        guard case .login(let login) = try credentials() else { return NATSSubjects.anyone }
        return NATSSubjects.token(login.user)
    }

    private static func read(_ path: String) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 16 << 10)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes[..<count], as: UTF8.self)
    }
}
