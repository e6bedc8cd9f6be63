import CLinux
import Glibc
import ZMTP

/// The peers on this host: a ROUTER's work on connections over one Unix socket, each a ``Link``.
///
/// What is sent is gathered by connection, and leaves with ``flush(_:)`` at the end of the turn: one system call for
/// all that a turn of the loop has for a peer.
final class LocalPeers {
    /// How long a peer that connects may take to say who it is: it holds a descriptor meanwhile.
    private static let openingMs: Int64 = 5_000
    /// Sent before the turn is over, so that the peer can begin.
    private static let eagerBytes = 64 << 10

    private struct Place {
        var link: Link?
        var generation: UInt16 = 0
        var openBy: Int64 = 0
        var isUnsent = false
        /// What the connection's buffers took when it was last used.
        var memoryBytes = 0
    }

    private let epoll: Epoll
    private let listener: Int32
    private let memory: LinkMemory
    private let limits: LinkLimits
    /// By descriptor: the kernel gives the lowest free number.
    private var places: [Place] = []
    private var unsent: [LinkName] = []
    /// Memory of all connections' buffers.
    private(set) var memoryBytes = 0
    /// Places whose peers have not said who they are.
    private var opening = 0
    /// Peers that vanished while something was sent to them.
    private var lost: [LinkName] = []
    /// Not listened to while there is no descriptor left, until the next tick.
    private var isListening = true

    /// - Parameters:
    ///   - path: where there is no socket yet.
    ///   - frames: the frames that a message may have; one that has more is given with one more.
    init(path: String, frames: Int, epoll: Epoll, limits: LinkLimits = LinkLimits()) throws {
        self.epoll = epoll
        self.limits = limits
        do throws(LinkFault) { listener = try UnixSocket.listen(path) } catch {
            throw BrokerFailure.system("cannot listen at \(path)", errno: error.code)
        }
        memory = LinkMemory(frames: frames)
        epoll.watch(listener, LoopEvent.listener.word)
    }

    deinit { close(listener) }

    /// Takes the connections that wait.
    func accept(nowMs: Int64) {
        do throws(LinkFault) {
            while let descriptor = try UnixSocket.accept(listener) {
                guard ConnectionGuard.hasPlace(for: descriptor) else {
                    close(descriptor)
                    continue
                }
                admit(descriptor, nowMs)
            }
        } catch {
            isListening = false
            epoll.forget(listener)
        }
    }

    /// Reads once what a peer has sent.
    ///
    /// - Parameter free: a connection whose buffers take as much may not go on with a message that is not whole.
    /// - Returns: false when the connection has ended; what was sent before has been taken.
    func receive(_ name: LinkName, free: Int, _ take: (LinkFrames) -> Void) -> Bool {
        guard let link = link(name) else { return true }
        let wasOpen = link.isOpen
        var isThere = true
        do throws(LinkFault) { _ = try link.receive(memory, take) } catch { isThere = false }
        if link.isOpen != wasOpen { opening -= 1 }
        if self.link(name) != nil { measure(name, link) }
        if link.isReceiving, link.memoryBytes >= free { isThere = false }
        if !isThere { remove(name) } else if link.unsentBytes > 0 { note(name) }
        return isThere
    }

    /// Begins a message: `nil` when its frames may follow, else the reason as libzmq's ROUTER gives it.
    ///
    /// - Parameter free: a connection whose buffers take as much gets no more.
    func refusal(of name: LinkName, free: Int) -> Int32? {
        guard let link = link(name) else { return EHOSTUNREACH }
        return link.hasRoom && places[name.index].memoryBytes < free ? nil : EAGAIN
    }

    /// Sends a frame of a message that was not refused.
    func send(_ frame: UnsafeRawBufferPointer, to name: LinkName, more: Bool) {
        guard let link = link(name) else { return }
        link.append(frame, more: more)
        guard !more else { return }
        measure(name, link)
        note(name)
        if link.unsentBytes > Self.eagerBytes, !link.isFull { flush(name) }
    }

    /// Gives the kernel what was sent, and tells of peers that turn out to be gone.
    func flush(_ ended: (LinkName) -> Void) {
        for name in unsent { flush(name) }
        unsent.removeAll(keepingCapacity: true)
        // Who hears of an end may send to others.
        while let name = lost.popLast() { ended(name) }
    }

    /// Whether the end of a connection brought about something that has to be sent.
    var hasUnsent: Bool { !unsent.isEmpty }

    /// Ends what has taken too long to open, and listens again after there was no descriptor left.
    func tick(nowMs: Int64) {
        if !isListening {
            isListening = true
            epoll.watch(listener, LoopEvent.listener.word)
        }
        guard opening > 0 else { return }
        for index in places.indices {
            guard let link = places[index].link, !link.isOpen, places[index].openBy <= nowMs else { continue }
            remove(LinkName(index: index, generation: places[index].generation))
        }
    }

    /// The process at the other end; nil when it is in another container.
    func process(of name: LinkName) -> Int32? {
        guard let link = link(name) else { return nil }
        let process = billfold_peer_process(link.descriptor)
        return process > 0 ? process : nil
    }

    private func admit(_ descriptor: Int32, _ nowMs: Int64) {
        let index = Int(descriptor)
        while places.count <= index { places.append(Place()) }
        places[index].link = Link(descriptor: descriptor, role: .router, limits: limits)
        places[index].openBy = nowMs + Self.openingMs
        places[index].isUnsent = false
        opening += 1
        let name = LinkName(index: index, generation: places[index].generation)
        epoll.watch(descriptor, LoopEvent.link(name).word)
        note(name)
    }

    /// Gives back buffers that hold nothing.
    func trim() {
        for index in places.indices {
            guard let link = places[index].link else { continue }
            link.trim()
            measure(LinkName(index: index, generation: places[index].generation), link)
        }
    }

    /// Disconnects the peer that has not read most, or else the one whose buffers take most: it does not end its
    /// message.
    ///
    /// - Returns: false when none has so much.
    func removeLargest(atLeast bytes: Int) -> Bool {
        func largest(_ size: (Place) -> Int) -> Int? {
            places.indices.max { size(places[$0]) < size(places[$1]) }.flatMap { size(places[$0]) >= bytes ? $0 : nil }
        }
        guard let largest = largest({ $0.link?.unsentBytes ?? 0 }) ?? largest(\.memoryBytes) else { return false }
        let name = LinkName(index: largest, generation: places[largest].generation)
        remove(name)
        lost.append(name)
        return true
    }

    /// Takes note of what the connection's buffers take now.
    private func measure(_ name: LinkName, _ link: Link) {
        let bytes = link.memoryBytes
        memoryBytes += bytes - places[name.index].memoryBytes
        places[name.index].memoryBytes = bytes
    }

    private func link(_ name: LinkName) -> Link? {
        guard name.index < places.count, places[name.index].generation == name.generation else { return nil }
        return places[name.index].link
    }

    /// Puts the peer among those for whom something waits to be sent.
    private func note(_ name: LinkName) {
        guard !places[name.index].isUnsent else { return }
        places[name.index].isUnsent = true
        unsent.append(name)
    }

    /// Sends on, when the peer reads again.
    func resume(_ name: LinkName) {
        if link(name)?.isFull == true { flush(name) }
    }

    private func flush(_ name: LinkName) {
        guard let link = link(name) else { return }
        places[name.index].isUnsent = false
        let wasFull = link.isFull
        do throws(LinkFault) { try link.flush() } catch {
            remove(name)
            lost.append(name)
            return
        }
        measure(name, link)
        if link.isFull != wasFull { epoll.change(link.descriptor, LoopEvent.link(name).word, writing: link.isFull) }
    }

    private func remove(_ name: LinkName) {
        guard let link = places[name.index].link else { return }
        if !link.isOpen { opening -= 1 }
        epoll.forget(link.descriptor)
        places[name.index].link = nil
        memoryBytes -= places[name.index].memoryBytes
        places[name.index].memoryBytes = 0
        // A name that is used again after 65,536 connections on one descriptor belongs to nobody any more.
        places[name.index].generation &+= 1
    }
}
