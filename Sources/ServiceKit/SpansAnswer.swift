import Bus
import Contracts
import Wire

/// Answers `<service>.spans.read.v1`, whose name each process has its own part of.
struct SpansAnswer: Sendable {
    private typealias Question = ReadSpans<Broker>

    private static let limits = 1...100

    let spans: SpanRing

    @Sendable
    func outcome(_ ask: Envelope, _ context: AskContext) async -> Outcome {
        guard context.actor.map({ $0.role == .administrator }) ?? true else { return .fault(Fault(.forbidden)) }
        do throws(WireError) {
            let question = try Question(json: ask.data)
            guard Self.limits.contains(question.limit) else {
                return .fault(Fault(.malformed, "'limit' is \(Self.limits.lowerBound) to \(Self.limits.upperBound)"))
            }
            let found = spans.read(question.id, refused: question.refused, limit: question.limit)
            return .reply(Question.Reply(spans: found).json)
        } catch {
            return .fault(Fault(error.inside("data")))
        }
    }
}
