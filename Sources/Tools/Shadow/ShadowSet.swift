import Bus
import BusZMQ
import Conformance
import Contracts
import Foundation
import Primitives
import Synchronization
import Wire

/// A bus of its own on which the candidate serves, with windows to the live one: it reads there whatever it likes and
/// hears all facts, and what it changes and tells stays here.
///
/// `@unchecked`: everything is set in `init`, but for `candidate`, which `start` sets before anybody else has it.
package final class ShadowSet: @unchecked Sendable {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
        package init(_ description: String) { self.description = description }
    }

    /// How long the candidate may take until it serves.
    private static let startPatience = Duration.seconds(30)
    private static let endPatience = Duration.seconds(3)
    /// Asks of the candidate's that one neighbour forwards at once.
    private static let windowCredit = 256

    package let home: String
    private let service: String
    private let live: Reactor
    private let hidden: Reactor
    private var windows: [Reactor] = []
    private var broker: Child?
    private var candidate: Child?
    private let prevented: @Sendable (_ type: String) -> Void

    /// - Parameters:
    ///   - live: a started reactor on the live bus.
    ///   - prevented: called with the type of each ask of the candidate's that would have changed something.
    package init(
        of service: String, live: Reactor, prevented: @escaping @Sendable (_ type: String) -> Void
    ) throws {
        self.service = service
        self.live = live
        self.prevented = prevented
        // Short: the path of a Unix socket may have 107 bytes.
        var template = Array("\(FileManager.default.temporaryDirectory.path)/bfshadow-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw Failure("cannot make a directory: \(String(cString: strerror(errno)))")
        }
        home = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        hidden = try Reactor(Reactor.Settings(runDirectory: "\(home)/run"))
    }

    /// Starts the broker, the windows and the candidate, and returns when the candidate serves.
    ///
    /// - Parameters:
    ///   - neighbours: the services of the live bus that the candidate may read.
    ///   - isCancelled: looked at while it is waited.
    ///   - data: a directory that is copied for the candidate's `BILLFOLD_DATA`; nil: it begins with an empty one.
    package func start(
        _ command: [String], neighbours: [String], executables: String, copyOf data: String?,
        unless isCancelled: () -> Bool
    ) async throws {
        let places = ["BILLFOLD_RUN": "\(home)/run", "BILLFOLD_DATA": "\(home)/data", "BILLFOLD_LOG_FORMAT": "json"]
        let plain = ProcessInfo.processInfo.environment.filter {
            !["BILLFOLD_BUS", "BILLFOLD_KEYS", "BILLFOLD_LISTEN", "BILLFOLD_ASKS_TCP"].contains($0.key)
        }
        let environment = plain.merging(places) { $1 }
        if let data {
            do { try FileManager.default.copyItem(atPath: data, toPath: "\(home)/data") } catch {
                throw Failure("cannot copy \(data): \(error.localizedDescription)")
            }
        }
        broker = try Child(
            "broker", ["\(executables)/billfold-broker"], environment: environment, log: "\(home)/broker.log")
        hidden.start()
        try await awaitWorker("broker", broker, unless: isCancelled)
        for neighbour in neighbours where neighbour != service { try open(neighbour) }
        relayFacts()
        candidate = try Child("candidate", command, environment: environment, log: log)
        try await awaitWorker(service, candidate, unless: isCancelled)
    }

    package var log: String { "\(home)/candidate.log" }

    /// Its exit status, when the candidate has ended.
    package var candidateStatus: Int32? { candidate?.status }

    /// Gives the candidate a copy of an ask.
    package func ask(_ envelope: [UInt8], deadline: Timestamp) async -> TransportAnswer {
        await hidden.ask(service: service, retry: .once, deadline: deadline, body: envelope)
    }

    /// Ends all of it and removes its directory.
    package func end() async {
        await candidate?.end(within: Self.endPatience)
        for window in windows { await window.stop() }
        await hidden.stop()
        await broker?.end(within: Self.endPatience)
        try? FileManager.default.removeItem(atPath: home)  // left over in the directory for such things
    }

    // MARK: Windows

    /// Serves a live service's name on the hidden bus: what changes nothing is asked of the live one.
    private func open(_ neighbour: String) throws {
        let window = try Reactor(Reactor.Settings(runDirectory: "\(home)/run"))
        windows.append(window)
        window.start()
        window.serve(neighbour, credit: Self.windowCredit) { [self] asks in
            for ask in asks { Task { await answer(ask, of: neighbour, at: window) } }
        }
    }

    private func answer(_ ask: TransportAsk, of neighbour: String, at window: Reactor) async {
        guard let body = ask.body, let envelope = try? Envelope(json: body) else {
            return window.reply(to: ask.token, body: Self.refusal(Fault(.malformed), of: nil))
        }
        guard MessageType(envelope.type).changesNothing else {
            prevented(envelope.type)
            let fault = Fault(.forbidden, "a shadow changes nothing")
            return window.reply(to: ask.token, body: Self.refusal(fault, of: envelope))
        }
        let deadline = ask.deadline ?? envelope.expiryTime ?? WallClock.system.now() + Answerer.deadlineDefault
        switch await live.ask(service: neighbour, retry: .idempotent, deadline: deadline, body: body) {
        case .envelope(let answer): window.reply(to: ask.token, body: answer)
        case .refused(let code): window.reply(to: ask.token, body: Self.refusal(Fault(code), of: envelope))
        }
    }

    private static func refusal(_ fault: Fault, of ask: Envelope?) -> [UInt8] {
        Envelope(
            id: ask.map { "shadow-\($0.id)" } ?? "shadow", source: "shadow",
            type: ask.map { $0.type + ".fault" } ?? "bus.fault.v1", time: WallClock.system.now(),
            correlationID: ask.map { $0.correlationID ?? $0.id }, causationID: ask?.id, data: fault.json
        ).json
    }

    /// Live facts arrive here too, except those that the candidate publishes itself.
    private func relayFacts() {
        live.subscribe(to: "") { [hidden, service] facts in
            let others = facts.compactMap { fact -> PublishedFact? in
                guard let envelope = try? Envelope(json: fact), envelope.source != service else { return nil }
                return PublishedFact(type: envelope.type, sequence: envelope.sequence ?? 0, envelope: fact)
            }
            hidden.publish(others)
        }
    }

    private func awaitWorker(_ name: String, _ process: Child?, unless isCancelled: () -> Bool) async throws {
        let bus = Bus(name: "shadow", transport: hidden)
        let end = ContinuousClock.now + Self.startPatience
        while true {
            if let status = process?.status {
                throw Failure("\(name) ended with status \(status)\(lastWords)")
            }
            if isCancelled() { throw Failure("ended before \(name) served") }
            let context = AskContext(deadline: bus.clock.now() + .milliseconds(500))
            // The broker has only just been started: asked again until the time is up.
            let reply = try? await bus.ask(Broker.ReadWorkers(service: name), in: context)
            if reply?.workers.isEmpty == false { return }
            guard ContinuousClock.now < end else {
                throw Failure(
                    "\(name) does not serve within \(Self.startPatience) (BILLFOLD_RUN says where)\(lastWords)")
            }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// The end of what the candidate has written.
    private var lastWords: String {
        guard let text = try? String(contentsOfFile: log, encoding: .utf8), !text.isEmpty else { return "" }
        return "; its last words:\n" + text.split(separator: "\n").suffix(5).map { "    \($0)" }.joined(separator: "\n")
    }
}
