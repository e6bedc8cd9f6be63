import Contracts
import Primitives
import Wire

/// Answers a type of ask by asking one other: what that gives, put into other words, is the answer.
///
/// Both halves run where the frames come in. A payment needs no task of its own then, nor texts of what it only hands on:
/// together they cost more than all of its JSON. Whatever takes more than the one ask is for `answer`, as with any other
/// handler; so is repeating an ask that the bus could not deliver.
@usableFromInline
package protocol Relaying<Question>: Answering {
    associatedtype Onward: Ask

    /// - Parameter context: deadline and actor; the other attributes are handed on without being read.
    /// - Returns: nil when there is more to do than to pass it on.
    func relay(_ ask: Question, in context: AskContext) throws(Fault) -> Relay<Onward, Question.Reply>?
}

/// What an ask is passed on as, and what its answer becomes.
@usableFromInline
package struct Relay<Onward: Ask, Reply: WireMessage>: Sendable {
    @usableFromInline
    package let ask: Onward
    /// Whose deadline and actor the ask has.
    @usableFromInline
    package let context: AskContext
    @usableFromInline
    package let reply: @Sendable (Onward.Reply) throws(Fault) -> Reply

    @inlinable
    package init(
        _ ask: Onward, in context: AskContext, reply: @escaping @Sendable (Onward.Reply) throws(Fault) -> Reply
    ) {
        self.ask = ask
        self.context = context
        self.reply = reply
    }
}

/// A handler's `relay` between bytes: what is left of its types once they are known.
@usableFromInline
package struct RelayRoute: Sendable {
    /// Reads an ask's `data`; gives what it is to be passed on as, or nil for what `answer` has to do.
    @usableFromInline
    typealias Begin = @Sendable (ArraySlice<UInt8>, AskContext) throws(Fault) -> Passed?

    /// What was decided of one ask.
    @usableFromInline
    struct Passed: Sendable {
        let context: AskContext
        let write: @Sendable (inout JSONWriter) -> Void
        /// Reads what came back, and gives what writes the `data` of the answer.
        let finish: @Sendable (TransportAnswer) throws(Fault) -> Written

        @usableFromInline
        init(
            _ context: AskContext, write: @escaping @Sendable (inout JSONWriter) -> Void,
            finish: @escaping @Sendable (TransportAnswer) throws(Fault) -> Written
        ) {
            self.context = context
            self.write = write
            self.finish = finish
        }
    }

    @usableFromInline
    typealias Written = (inout JSONWriter) -> Void

    let type: MessageType
    let service: String
    let retry: RetryClass
    let begin: Begin

    @usableFromInline
    init(_ type: MessageType, _ retry: RetryClass, _ begin: @escaping Begin) {
        self.type = type
        self.retry = retry
        self.begin = begin
        service = type.service
    }
}

extension Relaying {
    @inlinable
    package var route: RelayRoute {
        RelayRoute(Onward.type, Onward.retry) { data, context throws(Fault) in
            let ask: Question
            do throws(WireError) { ask = try Question(json: data) } catch { throw Fault(error.inside("data")) }
            guard let relay = try relay(ask, in: context) else { return nil }
            return RelayRoute.Passed(relay.context) {
                relay.ask.write(to: &$0)
            } finish: { answer throws(Fault) in
                let reply = try relay.reply(Bus.reply(to: Onward.self, from: answer))
                return { reply.write(to: &$0) }
            }
        }
    }
}
