import Contracts

extension __Name__.AddNote: FakeAnswered {
    var fakeReply: Reply { Reply(number: 1, replayed: false) }
}
