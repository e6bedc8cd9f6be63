import Glibc
import Wire

/// The supervisor's end of the control socket: who is connected, what they ask for, and who still waits for an answer.
struct ControlServer {
    /// Of one connection: a descriptor's number may be another's when it is closed.
    typealias ClientID = Int

    enum Wait { case health, end }

    private struct Client {
        let id: ClientID
        let descriptor: Int32
        var received: [UInt8] = []
        /// Answers that the client has not taken yet.
        var unsent: [UInt8] = []
        var waits: Set<Wait> = []
    }

    private static let clientsMax = 32
    /// A client that leaves more of its answers is dropped.
    private static let unsentBytesMax = 8 << 20

    private let path: String
    private let listener: UnixSocket
    private var clients: [Client] = []
    private var lastID = 0

    init(at path: String) throws {
        self.path = path
        listener = try UnixSocket.listening(at: path)
    }

    var items: [pollfd] {
        [pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0)]
            + clients.map { client in
                let events = client.unsent.isEmpty ? POLLIN : POLLIN | POLLOUT
                return pollfd(fd: client.descriptor, events: Int16(events), revents: 0)
            }
    }

    /// Takes new connections, and what has come on those that there are.
    ///
    /// - Returns: requests in the order in which they came; nil for what is none, after which its client is dropped.
    mutating func handle(_ ready: Set<Int32>) -> [(request: SetControl.Request?, client: ClientID)] {
        var requests: [(SetControl.Request?, ClientID)] = []
        for client in clients where ready.contains(client.descriptor) {
            flush(client.id)
            requests += receive(client.id)
        }
        if ready.contains(listener.descriptor) { accept() }
        return requests
    }

    private mutating func accept() {
        let descriptor = Glibc.accept(listener.descriptor, nil, nil)
        guard descriptor >= 0 else { return }
        guard clients.count < Self.clientsMax else {
            Glibc.close(descriptor)
            return
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        lastID += 1
        clients.append(Client(id: lastID, descriptor: descriptor))
    }

    private mutating func receive(_ id: ClientID) -> [(SetControl.Request?, ClientID)] {
        guard let index = clients.firstIndex(where: { $0.id == id }) else { return [] }
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        let count = recv(clients[index].descriptor, &buffer, buffer.count, 0)
        guard count > 0 else {
            if count == 0 || errno != EAGAIN { drop(id) }
            return []
        }
        clients[index].received += buffer[..<count]
        var requests: [(SetControl.Request?, ClientID)] = []
        while let end = clients[index].received.firstIndex(of: 10) {
            // Broken JSON becomes nil, and is refused below like any other malformed request.
            let json = try? JSONValue(parsing: clients[index].received[..<end])
            clients[index].received.removeFirst(end + 1)
            let request = json.flatMap { SetControl.Request($0) }
            requests.append((request, id))
            if request == nil { return requests }
        }
        if clients[index].received.count > SetControl.lineBytesMax { requests.append((nil, id)) }
        return requests
    }

    // MARK: Answers

    /// Does nothing for a client that is gone. What it does not take at once follows when it does.
    mutating func send(_ json: JSONValue, to id: ClientID) {
        guard let index = clients.firstIndex(where: { $0.id == id }) else { return }
        clients[index].unsent += Array((json.text + "\n").utf8)
        flush(id)
    }

    private mutating func flush(_ id: ClientID) {
        guard let index = clients.firstIndex(where: { $0.id == id }), !clients[index].unsent.isEmpty else { return }
        let unsent = clients[index].unsent
        let count = Glibc.send(clients[index].descriptor, unsent, unsent.count, Int32(MSG_NOSIGNAL))
        guard count >= 0 || errno == EAGAIN, unsent.count - max(0, count) <= Self.unsentBytesMax else {
            return drop(id)
        }
        clients[index].unsent.removeFirst(max(0, count))
    }

    mutating func send(_ report: SetControl.Report, to id: ClientID) { send(report.json, to: id) }

    mutating func wait(_ client: ClientID, for wait: Wait) {
        guard let index = clients.firstIndex(where: { $0.id == client }) else { return }
        clients[index].waits.insert(wait)
    }

    /// To all who wait for it.
    mutating func answer(_ wait: Wait, _ report: SetControl.Report) {
        for index in clients.indices.reversed() where clients[index].waits.remove(wait) != nil {
            send(report, to: clients[index].id)
        }
    }

    mutating func drop(_ id: ClientID) {
        guard let index = clients.firstIndex(where: { $0.id == id }) else { return }
        Glibc.close(clients.remove(at: index).descriptor)
    }

    mutating func close() {
        unlink(path)
        for client in clients { Glibc.close(client.descriptor) }
        clients = []
        Glibc.close(listener.descriptor)
    }
}
