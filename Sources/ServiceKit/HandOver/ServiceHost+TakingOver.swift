import Bus
import BusZMQ
import Contracts
import Foundation
import Glibc

/// The end of a hand-over: the state is taken, and the process whose place this one takes still ends.
package struct Succession: Sendable {
    fileprivate let wait: @Sendable () async throws -> Void

    /// Returns when this process may serve.
    func awaitPlace() async throws { try await wait() }
}

extension ServiceHost {
    /// Takes the state of the process that serves over, if `BILLFOLD_TAKE_OVER` is 1. It returns when the state is
    /// whole, in the service's own file; the file before stays beside it as `….before`. What the service then makes of
    /// its state it makes while the other process ends: it answers nothing before ``run(_:)`` finds that it may.
    ///
    /// - Parameters:
    ///   - memory: the tables that the service has in memory only.
    ///   - follower: gets the rows of all tables while they are copied.
    ///   - open: opens or makes a store. What it returns is closed again before this returns.
    /// - Returns: whether the state was taken over.
    @discardableResult
    package func takeOver<Service: StateOwner>(
        _ service: Service.Type, file: String, memory: [StateTable] = [], follower: (any CopiedMemory)? = nil,
        open: (_ path: String) throws -> any StateTarget
    ) async throws -> Bool {
        guard try config.integer("billfold.take.over", default: 0, in: 0...1) == 1 else { return false }
        guard config.store == nil else {
            throw ConfigError(
                "BILLFOLD_TAKE_OVER is for services with files: in PostgreSQL, whoever leads next finds the state there"
            )
        }
        do { try await take(service, file, memory, follower, open) } catch {
            throw ConfigError("the state of \(Service.service) cannot be taken over: \(error)")
        }
        return true
    }

    private func take<Service: StateOwner>(
        _ service: Service.Type, _ file: String, _ memory: [StateTable], _ follower: (any CopiedMemory)?,
        _ open: (String) throws -> any StateTarget
    ) async throws {
        let incoming = file + ".incoming"
        // The file is locked until the new one takes its place: a process that holds it has the state already.
        let own = access(file, F_OK) == 0 ? try open(file) : nil
        Self.remove(incoming)
        let target = try open(incoming)
        let reactor = try Reactor(Reactor.Settings(bus: config.bus), clock: clock)
        reactor.start()
        let bus = Bus(name: name, transport: reactor, clock: clock)
        let run = TakeOverRun<Service>(bus, into: target, memory: memory, follower: follower)
        do {
            logger.notice("taking the state over from the \(Service.service) that serves")
            var answers = Answerer.Builder()
            answers.answer(with: TakeOverHandler(run: run))
            Answerer(answers, on: bus).start(service: "next.\(Service.service)", credit: 8)
            try await run.read()
            try await target.close()
            try await own?.close()
            try Self.put(incoming, inPlaceOf: file)
            await run.complete()
        } catch {
            await run.fail(error)
            await reactor.drain(atMost: .milliseconds(200))
            await reactor.stop()
            throw error
        }
        succession.set(
            Succession {
                do { try await run.awaitServing() } catch {
                    await reactor.stop()
                    throw error
                }
                // The answer that it serves is on its way, and nobody waits for the end of this connection.
                Task {
                    await reactor.drain(atMost: .milliseconds(200))
                    await reactor.stop()
                }
            })
    }

    /// Both are closed. A crash leaves one or the other whole.
    private static func put(_ incoming: String, inPlaceOf file: String) throws {
        for path in [incoming, file] where access(path + "-wal", F_OK) == 0 {
            throw ConfigError("\(path) could not be closed")
        }
        let before = file + ".before"
        if access(file, F_OK) == 0 {
            unlink(before)
            guard link(file, before) == 0 else { throw ConfigError("\(before): \(String(cString: strerror(errno)))") }
        }
        guard rename(incoming, file) == 0 else { throw ConfigError("\(file): \(String(cString: strerror(errno)))") }
        let folder = Glibc.open((file as NSString).deletingLastPathComponent, O_RDONLY | O_CLOEXEC)
        fsync(folder)
        Glibc.close(folder)
        unlink(incoming + ".lock")
    }

    private static func remove(_ path: String) {
        for ending in ["", "-wal", "-journal", ".lock"] { unlink(path + ending) }
    }
}
