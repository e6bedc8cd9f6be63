import Contracts
import Primitives
import Wire

/// Answers a type of ask by one ask of another service, whose reply becomes the answer.
///
/// Both halves are plain functions that run where the frames come in: such an ask needs no task of its own, which
/// would cost more than all of its JSON (ADR 42).
package protocol Forwarding<Question>: Answering {
    associatedtype Onward: Ask

    /// What the ask is forwarded as; nil when more than that one ask is needed. `answer` then does it, and it repeats
    /// what the bus could not deliver.
    func forward(_ ask: Question, in context: AskContext) throws(Fault) -> Forward<Onward, Question.Reply>?
}

/// The ask that another one is forwarded as, and what becomes of its reply.
package struct Forward<Onward: Ask, Reply: WireMessage>: Sendable {
    let ask: Onward
    let context: AskContext
    let reply: @Sendable (Onward.Reply) -> Reply

    package init(_ ask: Onward, in context: AskContext, reply: @escaping @Sendable (Onward.Reply) -> Reply) {
        self.ask = ask
        self.context = context
        self.reply = reply
    }
}

/// What became of an ask that was forwarded once.
enum Forwarded: Sendable {
    case done(Outcome)
    /// The bus could not deliver it, and it may be repeated.
    case again(Doubt)
}

extension Forwarding {
    /// Forwards an ask that came over the bus.
    ///
    /// - Parameter then: is called on the transport's thread.
    /// - Returns: false when `answer` has to do it.
    func forward(
        _ envelope: Envelope, in context: AskContext, on bus: Bus, then: @escaping @Sendable (Forwarded) -> Void
    ) throws(Fault) -> Bool {
        let ask = try Question(admitting: envelope.data, of: envelope.actor)
        guard let onward = try forward(ask, in: context) else { return false }
        bus.ask(onward.ask, in: onward.context) { answer in
            switch answer {
            case .success(let reply): then(.done(.reply(onward.reply(reply).json)))
            case .failure(let fault):
                guard Bus.mayRepeat(Onward.retry, after: fault) else { return then(.done(.fault(fault))) }
                var doubt = Doubt()
                doubt.note(fault)
                then(.again(doubt))
            }
        }
        return true
    }
}
