import BusZMQ
import Glibc
import Synchronization
import ZMTP

/// Takes asks as a broker does, on a socket of its own, and answers them as a test wants it; it says of itself which
/// one it is.
final class StandInBroker: Sendable {
    struct Ask: Sendable {
        let tag: [UInt8]
        let service: String
        let body: [UInt8]
    }

    /// Status and body of an answer; nil: none comes.
    typealias Answer = @Sendable (Ask) -> (status: UInt8, body: [UInt8])?

    private let path: String
    private let instance: UInt8
    private let answer: Answer
    private let isStopped = Atomic(false)
    private let asked = Atomic(0)
    private let ended = AsyncStream.makeStream(of: Void.self)

    init(_ path: String, instance: UInt8, answer: @escaping Answer) throws {
        (self.path, self.instance, self.answer) = (path, instance, answer)
        unlink(path)
        let listener = try UnixSocket.listen(path)
        OSThread { [self] in run(listener) }.detach()
    }

    /// Asks taken so far.
    var count: Int { asked.load(ordering: .acquiring) }

    /// Ends all connections, as a broker does that is killed.
    func stop() async {
        isStopped.store(true, ordering: .releasing)
        for await _ in ended.stream {}
    }

    private func run(_ listener: Int32) {
        var links: [Link] = []
        let memory = LinkMemory(frames: 3)
        while !isStopped.load(ordering: .acquiring) {
            var items = [pollfd(fd: listener, events: Int16(POLLIN), revents: 0)]
            for link in links {
                let events = link.isFull ? POLLIN | POLLOUT : POLLIN
                items.append(pollfd(fd: link.descriptor, events: Int16(events), revents: 0))
            }
            poll(&items, nfds_t(items.count), 10)
            links = links.filter { link in
                do {
                    _ = try link.receive(memory) { take($0, from: link) }
                    try link.flush()
                    return true
                } catch {
                    return false
                }
            }
            while let descriptor = try? UnixSocket.accept(listener) {
                links.append(Link(descriptor: descriptor, role: .router))
            }
        }
        close(listener)
        unlink(path)
        ended.continuation.finish()
    }

    private func take(_ frames: LinkFrames, from link: Link) {
        let header = [UInt8](frames[0])
        if header[4] == 5 {
            send(header[..<8] + [0, 0, 0, 0, 0, 0, 0, instance], to: link)
        } else {
            let ask = Ask(
                tag: Array(header[8..<16]), service: String(decoding: header[24...], as: UTF8.self),
                body: [UInt8](frames[1]))
            asked.add(1, ordering: .releasing)
            guard let (status, body) = answer(ask) else { return }
            send(header[..<4] + [3, status, 0, 0] + ask.tag, status == 0 ? body : nil, to: link)
        }
    }

    private func send(_ header: ArraySlice<UInt8>, _ body: [UInt8]? = nil, to link: Link) {
        header.withUnsafeBytes { link.append($0, more: body != nil) }
        body?.withUnsafeBytes { link.append($0, more: false) }
    }
}
