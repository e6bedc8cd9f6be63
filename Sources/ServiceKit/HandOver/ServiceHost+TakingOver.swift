import Bus
import BusZMQ
import Contracts
import Foundation
import Glibc

/// State in memory that came from the process whose place this one takes; empty where none was taken over.
package struct TakenState: Sendable {
    fileprivate var rows: [String: [StateRow]] = [:]

    package init() {}

    fileprivate init(rows: [String: [StateRow]]) { self.rows = rows }

    package func rows(of table: StateTable) -> [StateRow] { rows[table.name, default: []] }
}

extension ServiceHost {
    /// Takes the state of the process that serves over, if `BILLFOLD_TAKE_OVER` is 1, and returns when this process may
    /// serve. The new file takes the place of the service's own, which stays beside it as `….before`.
    ///
    /// - Parameters:
    ///   - memory: the tables that the service has in memory only.
    ///   - open: opens or makes a store. What it returns is closed again before this returns.
    package func takeOver<Service: StateOwner>(
        _ service: Service.Type, file: String, memory: [StateTable] = [],
        open: (_ path: String) throws -> any StateTarget
    ) async throws -> TakenState {
        guard try config.integer("billfold.take.over", default: 0, in: 0...1) == 1 else { return TakenState() }
        guard config.store == nil else {
            throw ConfigError(
                "BILLFOLD_TAKE_OVER is for services with files: in PostgreSQL, whoever leads next finds the state there"
            )
        }
        do { return try await take(service, file, memory, open) } catch {
            throw ConfigError("the state of \(Service.service) cannot be taken over: \(error)")
        }
    }

    private func take<Service: StateOwner>(
        _ service: Service.Type, _ file: String, _ memory: [StateTable], _ open: (String) throws -> any StateTarget
    ) async throws -> TakenState {
        let incoming = file + ".incoming"
        // The file is locked until the new one takes its place: a process that holds it has the state already.
        let own = access(file, F_OK) == 0 ? try open(file) : nil
        Self.remove(incoming)
        let target = try open(incoming)
        let reactor = try Reactor(Reactor.Settings(bus: config.bus), clock: clock)
        reactor.start()
        let run = TakeOverRun<Service>(
            Bus(name: name, transport: reactor, clock: clock), into: target, memory: memory)
        do {
            logger.notice("taking the state over from the \(Service.service) that serves")
            let bus = Bus(name: name, transport: reactor, clock: clock)
            var answers = Answerer.Builder()
            answers.answer(with: TakeOverHandler(run: run))
            Answerer(answers, on: bus).start(service: "next.\(Service.service)", credit: 8)
            try await run.read()
            try await target.close()
            try await own?.close()
            try Self.put(incoming, inPlaceOf: file)
            await run.complete()
            try await run.awaitServing()
            await reactor.drain(atMost: .milliseconds(200))
            await reactor.stop()
            return TakenState(rows: await run.inMemory.mapValues { Array($0.values) })
        } catch {
            await run.fail(error)
            await reactor.drain(atMost: .milliseconds(200))
            await reactor.stop()
            throw error
        }
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
