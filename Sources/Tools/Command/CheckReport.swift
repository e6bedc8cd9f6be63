import Conformance
import Foundation
import Wire

/// Shows what became of the cases: a line each, or one JSON object.
final class CheckReport {
    private let service: String
    private let isPart: Bool
    private let isJSON: Bool
    private let hasColour: Bool
    private var results: [CaseResult] = []

    /// - Parameter isPart: whether only some of the cases are run.
    init(service: String, isPart: Bool, isJSON: Bool) {
        self.service = service
        self.isPart = isPart
        self.isJSON = isJSON
        hasColour = isatty(STDOUT_FILENO) == 1 && ProcessInfo.processInfo.environment["NO_COLOR"] == nil
    }

    var failures: Int {
        results.count { result in if case .failed = result.outcome { true } else { false } }
    }

    func add(_ result: CaseResult) {
        results.append(result)
        guard !isJSON else { return }
        switch result.outcome {
        case .passed: say("\(shade("ok", 32))      \(result.name)  \(result.milliseconds) ms")
        case .failed(let why): say("\(shade("FAILED", 31))  \(result.name): \(why)")
        case .notOffered: break  // summed up
        }
    }

    func end() {
        let passed = results.count { $0.outcome == .passed }
        let notOffered = results.filter { $0.outcome == .notOffered }.map { String($0.name.prefix { $0 != "/" }) }
        let missing = notOffered.reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
        guard !isJSON else {
            return say(
                JSONValue.object([
                    .init("service", .string(service)), .init("conforms", .bool(failures == 0)),
                    .init("passed", .integer(Int64(passed))), .init("failed", .integer(Int64(failures))),
                    .init("notOffered", .array(missing.map { .string($0) })),
                    .init("cases", .array(results.map(\.tree)))
                ]).text)
        }
        if !missing.isEmpty { say("not offered, and not needed: \(missing.joined(separator: ", "))") }
        say(
            failures == 0
                ? isPart
                    ? "\(service): \(passed) of its cases passed, and no others were run"
                    : "\(service) conforms: \(passed) cases"
                : "\(service) does not conform: \(failures) of \(passed + failures) cases failed")
    }

    /// At once, also into a pipe: some cases take seconds.
    private func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

    private func shade(_ text: String, _ colour: Int) -> String {
        hasColour ? "\u{1B}[\(colour)m\(text)\u{1B}[0m" : text
    }
}

extension CaseResult {
    fileprivate var tree: JSONValue {
        let (word, why): (String, String?) =
            switch outcome {
            case .passed: ("passed", nil)
            case .failed(let why): ("failed", why)
            case .notOffered: ("notOffered", nil)
            }
        var members: [JSONValue.Member] = [
            .init("name", .string(name)), .init("outcome", .string(word)), .init("milliseconds", .integer(milliseconds))
        ]
        if let why { members.append(.init("why", .string(why))) }
        return .object(members)
    }
}
