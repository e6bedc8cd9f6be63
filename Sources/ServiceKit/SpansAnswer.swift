import Bus
import Contracts
import Wire

/// Answers `<service>.spans.read.v1`, whose name each process has its own part of.
struct SpansAnswer: Sendable {
    private typealias Question = ReadSpans<Broker>

    let spans: SpanRing

    @Sendable
    func outcome(_ ask: Envelope, _ context: AskContext) async -> Outcome {
        do throws(Fault) {
            let question = try Question(admitting: ask.data, of: ask.actor)
            let found = spans.read(question.id, refused: question.refused, limit: question.limit)
            return .reply(Question.Reply(spans: found).json)
        } catch {
            return .fault(error)
        }
    }
}
