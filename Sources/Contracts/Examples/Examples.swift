/// An ask and its reply with all that they can say, and, where that is something else, with no more than they must.
@usableFromInline
package struct Examples<Question: Ask>: Sendable {
    package let ask: Question
    package let bare: Question?
    package let reply: Question.Reply
    package let bareReply: Question.Reply?

    package init(
        _ ask: Question, bare: Question? = nil, reply: Question.Reply, bareReply: Question.Reply? = nil
    ) {
        self.ask = ask
        self.bare = bare
        self.reply = reply
        self.bareReply = bareReply
    }
}

/// The same of a fact; `named` has the names too that older facts do not have.
package struct FactExamples<Published: Fact>: Sendable {
    package let fact: Published
    package let bare: Published?
    package let named: Published?

    package init(_ fact: Published, bare: Published? = nil, named: Published? = nil) {
        self.fact = fact
        self.bare = bare
        self.named = named
    }
}
