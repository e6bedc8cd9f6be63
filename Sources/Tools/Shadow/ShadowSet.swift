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
    /// How long the live service may take to copy its data.
    private static let copyPatience = Duration.seconds(300)
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
    private let heard: @Sendable (_ fact: PublishedFact, _ envelope: Envelope) -> Void
    /// The last fact of each source that the candidate may know.
    private let told = Mutex<[String: Int64]>([:])

    /// - Parameters:
    ///   - live: a started reactor on the live bus.
    ///   - prevented: called with the type of each ask of the candidate's that would have changed something.
    ///   - heard: called with each live fact. What other services tell is for ``tell(_:)``.
    package init(
        of service: String, live: Reactor, prevented: @escaping @Sendable (_ type: String) -> Void,
        heard: @escaping @Sendable (_ fact: PublishedFact, _ envelope: Envelope) -> Void
    ) throws {
        self.service = service
        self.heard = heard
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
        let environment = SettingsApart.environment(with: places)
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
        hearFacts()
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

    /// Publishes a live fact where the candidate hears it.
    package func tell(_ fact: PublishedFact) {
        if let envelope = try? Envelope(json: fact.envelope), let head = Self.position(of: envelope) {
            told.withLock { $0[envelope.source] = max($0[envelope.source] ?? 0, head) }
        }
        hidden.publish([fact])
    }

    /// The number of a fact, or that of a head; nil for what is neither.
    private static func position(of fact: Envelope) -> Int64? {
        if let sequence = fact.sequence { return sequence }
        guard fact.type.hasSuffix(".facts.head.v1"),
            case .integer(let head)? = try? JSONValue(parsing: fact.data)["head"]
        else { return nil }
        return head
    }

    /// A page of facts without those that the candidate has not been told of yet. Their log would tell it of asks that
    /// wait for it.
    private func upToTold(_ answer: [UInt8], of type: String, _ source: String) -> [UInt8] {
        guard type == "\(source).facts.read.v1", let event = try? JSONValue(parsing: answer),
            case .object(let members) = event, let data = event["data"], case .array(let facts)? = data["facts"],
            case .integer(let head)? = data["head"]
        else { return answer }
        // What the log has at the first read is from before the asks.
        let last = told.withLock { told in
            let last = told[source] ?? head
            told[source] = last
            return last
        }
        guard last < head else { return answer }
        let known = facts.filter { fact in
            guard case .string(let text)? = fact["sequence"], let sequence = Int64(text) else { return true }
            return sequence <= last
        }
        let page: JSONValue = .object([.init("facts", .array(known)), .init("head", .integer(last))])
        return Array(
            JSONValue.object(members.map { $0.key == "data" ? .init("data", page) : $0 }).text.utf8)
    }

    /// Puts a read to the live service.
    package func askLive(_ envelope: [UInt8], deadline: Timestamp) async -> TransportAnswer {
        await live.ask(service: service, retry: .idempotent, deadline: deadline, body: envelope)
    }

    /// Lets the live service write a copy of its data and keys where the candidate looks for its own. The service goes
    /// on serving meanwhile.
    package func copyLiveData() async throws {
        let (data, keys) = ("\(home)/data", "\(home)/keys")
        for directory in [data, keys] {
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
        }
        let ask = JSONValue.object([.init("directory", .string(data)), .init("keys", .string(keys))])
        let bus = Bus(name: "shadow", transport: live)
        let copy: DataCopy
        do throws(Fault) {
            let reply = try await bus.ask(
                MessageType("\(service).backup.write.v1"), data: Array(ask.text.utf8), retry: .once,
                in: AskContext(deadline: bus.clock.now() + Self.copyPatience))
            do { copy = try DataCopy(json: reply) } catch { throw Fault(.malformed, "\(error)") }
        } catch {
            throw Failure("the live \(service) gives no copy of its data: \(error.code.title) (\(error.code.code))")
        }
        for key in copy.keys { try FileManager.default.moveItem(atPath: "\(keys)/\(key)", toPath: "\(data)/\(key)") }
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
        guard Catalogue.ask(envelope.type)?.isReading == true else {
            prevented(envelope.type)
            let fault = Fault(.forbidden, "a shadow changes nothing")
            return window.reply(to: ask.token, body: Self.refusal(fault, of: envelope))
        }
        let deadline = ask.deadline ?? envelope.expiryTime ?? WallClock.system.now() + Answerer.deadlineDefault
        switch await live.ask(service: neighbour, retry: .idempotent, deadline: deadline, body: body) {
        case .envelope(let answer): window.reply(to: ask.token, body: upToTold(answer, of: envelope.type, neighbour))
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

    private func hearFacts() {
        live.subscribe(to: "") { [heard] facts in
            for fact in facts {
                guard let envelope = try? Envelope(json: fact) else { continue }
                heard(PublishedFact(type: envelope.type, sequence: envelope.sequence ?? 0, envelope: fact), envelope)
            }
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
