import Bus
import Contracts
import Logging

/// Moves the cursors of a service's readers for an operator.
struct CursorHandler<Service: FactConsumer>: Answering {
    let consumes: [ConsumedFacts]
    let logger: Logger

    init(_ service: Service.Type, _ consumes: [ConsumedFacts], _ logger: Logger) {
        self.consumes = consumes
        self.logger = logger
    }

    func answer(_ ask: MoveCursor<Service>, in context: AskContext) async throws(Fault) -> CursorMoved {
        guard let facts = consumes.first(where: { $0.source.service == ask.source }) else {
            throw Fault(.malformed, "\(Service.service) does not read the facts of '\(ask.source)'")
        }
        let head = try await facts.move(ask.from, ask.to, context.deadline)
        logger.notice(
            "an operator moved a cursor",
            metadata: ["source": "\(ask.source)", "from": "\(ask.from)", "to": "\(ask.to)", "head": "\(head)"])
        return CursorMoved(source: ask.source, from: ask.from, to: ask.to, head: head)
    }
}
