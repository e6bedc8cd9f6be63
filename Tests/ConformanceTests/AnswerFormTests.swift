import Bus
import Conformance
import Contracts
import Testing
import Wire

@Suite("The form of an answer")
struct AnswerFormTests {
    private let ask = AskSent(
        id: "a1", type: "wallet.card.read.v1", correlationID: "c1", faults: Wallet.ReadCard.faults)

    private func frame(
        id: String = "b1", type: String = "wallet.card.read.v1.reply", correlation: String? = "c1",
        cause: String? = "a1",
        data: String = "{}"
    ) -> [UInt8] {
        Envelope(
            id: id, source: "someone", type: type, correlationID: correlation, causationID: cause,
            data: Array(data.utf8)
        ).json
    }

    private func problem(
        _ code: String = "wallet.no_card", status: Int = 409, retry: String = "never", type: String? = nil
    ) -> String {
        """
        {"type":"\(type ?? "urn:billfold:fault:\(code)")","title":"No","status":\(status),"code":"\(code)","retry":"\(retry)","more":1}
        """
    }

    @Test("a reply, a refusal of its own and one of the bus are right")
    func right() throws {
        guard case .reply = try AnswerForm.read(frame(), to: ask) else { throw Wrong("no reply") }
        for (code, status) in [("wallet.no_card", 409), ("bus.forbidden", 403)] {
            let fault = frame(type: "wallet.card.read.v1.fault", data: problem(code, status: status))
            guard case .fault(let read) = try AnswerForm.read(fault, to: ask) else { throw Wrong("no refusal") }
            #expect(read.code.code == code)
        }
    }

    @Test("what does not say which ask it answers, or how, is wrong")
    func envelopes() {
        let wrong = [
            frame(id: "a1"), frame(correlation: nil), frame(correlation: "c2"), frame(cause: nil), frame(cause: "a2"),
            frame(type: "wallet.card.read.v1"), frame(type: "wallet.cards.read.v1.reply"), frame(type: "bus.fault.v1"),
            Array("{}".utf8), Array("no JSON".utf8)
        ]
        for frame in wrong {
            #expect(throws: Wrong.self, "\(String(decoding: frame, as: UTF8.self))") {
                try AnswerForm.read(frame, to: ask)
            }
        }
    }

    @Test("a refusal that its contract does not know, or knows otherwise, is wrong")
    func refusals() {
        let wrong = [
            problem("wallet.insufficient_funds", status: 402), problem("wallet.made_up"), problem(status: 404),
            problem(retry: "later"), problem(type: "about:blank"), #"{"code":"wallet.no_card","retry":"never"}"#, "{}"
        ]
        for data in wrong {
            #expect(throws: Wrong.self, "\(data)") {
                try AnswerForm.read(frame(type: "wallet.card.read.v1.fault", data: data), to: ask)
            }
        }
    }

    @Test("what cannot be read as an envelope is refused without naming an ask")
    func unread() throws {
        let refusal = frame(
            type: "bus.fault.v1", correlation: nil, cause: nil, data: problem("bus.malformed", status: 400))
        #expect(try AnswerForm.readRefusal(refusal).code == .malformed)
        #expect(throws: Wrong.self) { try AnswerForm.readRefusal(frame()) }
        #expect(throws: Wrong.self) { try AnswerForm.read(refusal, to: ask) }
        let unreadable = AskSent(id: "a1", type: "wallet.card.read.v1", correlationID: "c1", mayBeUnreadable: true)
        guard case .fault(let fault) = try AnswerForm.read(refusal, to: unreadable), fault.code == .malformed else {
            throw Wrong("a refusal of unreadable data was not taken")
        }
    }
}
