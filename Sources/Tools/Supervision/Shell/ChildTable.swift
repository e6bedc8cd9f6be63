import Glibc
import Primitives

/// The processes that run now: members of the set, and commands that check them.
struct ChildTable {
    enum Role: Equatable {
        case member(String)
        case healthCommand(String, life: Int)
        case check(swap: Int)
        /// Takes the state of a member over, to be in its place.
        case beside(String, swap: Int)
    }

    struct Child {
        fileprivate(set) var role: Role
        let process: ChildProcess
        let startedAt: Duration
        /// Of a member: those who wait for it see when it ends.
        let life = SetBus.Life()
        /// Output of a command.
        fileprivate(set) var output: [UInt8] = []
        fileprivate(set) var isOutputOpen = true
        /// The exit status, while others of its group still run, and until when they may.
        fileprivate(set) var status: Int32?
        fileprivate var othersMax = Duration.zero
    }

    /// Takes the output of a member, which belongs in its log.
    typealias Logging = (_ member: String, _ output: ArraySlice<UInt8>) -> Void

    /// How long what a process has started may outlive it.
    private static let othersMax = Duration.milliseconds(500)
    private static let outputBytesMax = 64 * 1024

    private let guardian: Guard
    private var children: [Child] = []

    /// Called before there are other threads that hold anything.
    init() throws(ChildProcess.Failure) { guardian = try Guard() }

    /// Whether a process has ended whose group has not.
    var isSettling: Bool { children.contains { $0.status != nil } }

    func member(_ name: String) -> Child? { child(.member(name)) }

    func child(_ role: Role) -> Child? { children.first { $0.role == role } }

    /// Gives a process another role.
    mutating func move(_ role: Role, to next: Role) {
        for index in children.indices where children[index].role == role { children[index].role = next }
    }

    /// To every process, or to those of one role.
    func signal(_ number: Int32, _ role: Role? = nil) {
        for child in children where role == nil || child.role == role { child.process.signal(number) }
    }

    mutating func start(
        _ command: [String], _ environment: [String: String], in directory: String, lookingIn executables: String,
        as role: Role, at now: Duration
    ) throws(ChildProcess.Failure) {
        let path = environment["PATH", default: "/usr/bin:/bin"].split(separator: ":").map(String.init)
        let process = try ChildProcess(
            command, environment: environment, directory: directory, lookingIn: [executables] + path)
        guardian.began(process.id)
        children.append(Child(role: role, process: process, startedAt: now))
    }

    // MARK: What they say and how they end

    /// What to wait on; a descriptor of -1 is passed over by `poll`.
    var items: [pollfd] {
        children.flatMap { child in
            [child.status == nil ? child.process.end : -1, child.isOutputOpen ? child.process.output : -1]
                .map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        }
    }

    /// Reads output, and notices ends.
    mutating func handle(_ ready: Set<Int32>, at now: Duration, logging: Logging) {
        for index in children.indices {
            if children[index].isOutputOpen, ready.contains(children[index].process.output) {
                read(index, logging)
            }
            guard children[index].status == nil, ready.contains(children[index].process.end) else { continue }
            children[index].status = children[index].process.reap()
            children[index].life.end()
            children[index].othersMax = now + Self.othersMax
            // Those that it has started end with it.
            if children[index].process.hasLeftOthers { children[index].process.signal(SIGTERM) }
        }
    }

    /// Takes off a process that has ended together with all that it has started; nil when there is none.
    mutating func takeEnded(at now: Duration, logging: Logging) -> (child: Child, status: Int32)? {
        for index in children.indices {
            guard let status = children[index].status else { continue }
            if children[index].process.hasLeftOthers {
                if children[index].othersMax <= now { children[index].process.signal(SIGKILL) }
                guard children[index].othersMax + Self.othersMax <= now else { continue }
            }
            while children[index].isOutputOpen, hasOutput(children[index].process.output) { read(index, logging) }
            let child = children.remove(at: index)
            close(child.process.output)
            guardian.ended(child.process.id)
            return (child, status)
        }
        return nil
    }

    private mutating func read(_ index: Int, _ logging: Logging) {
        var buffer = [UInt8](repeating: 0, count: 32 * 1024)
        let count = Glibc.read(children[index].process.output, &buffer, buffer.count)
        guard count > 0 else {
            if count == 0 { children[index].isOutputOpen = false }
            return
        }
        switch children[index].role {
        case .member(let name), .beside(let name, _): return logging(name, buffer[..<count])
        case .healthCommand, .check: break
        }
        if children[index].output.count < Self.outputBytesMax {
            children[index].output += buffer[..<count]
        }
    }

    private func hasOutput(_ descriptor: Int32) -> Bool {
        var item = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&item, 1, 0) == 1 && item.revents & Int16(POLLIN) != 0
    }
}
