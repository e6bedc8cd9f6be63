import Contracts

extension Routines.AddNote: FakeAnswered {
    var fakeReply: Reply { Reply(number: 1, replayed: false) }
}
