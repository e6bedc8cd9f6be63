import Contracts

// Routines answers with the examples of its contract.
extension Routines.CreateRoutine: FakeAnswered { var fakeReply: Reply { Self.examples.reply } }
extension Routines.ChangeRoutine: FakeAnswered { var fakeReply: Reply { Self.examples.reply } }
extension Routines.ReadRoutines: FakeAnswered { var fakeReply: Reply { Self.examples.reply } }
extension Routines.DeleteRoutine: FakeAnswered { var fakeReply: Reply { Self.examples.reply } }
extension Routines.ReadOffered: FakeAnswered { var fakeReply: Reply { Self.examples.reply } }
extension Routines.ReadProfile: FakeAnswered { var fakeReply: Reply { Self.examples.reply } }
extension Routines.SetProfile: FakeAnswered { var fakeReply: Reply { Self.examples.reply } }
extension Routines.AddImage: FakeAnswered { var fakeReply: Reply { Self.examples.reply } }
extension Routines.ReadImages: FakeAnswered { var fakeReply: Reply { Self.examples.reply } }
extension Routines.ReadImage: FakeAnswered { var fakeReply: Reply { Self.examples.reply } }
extension Routines.RemoveImage: FakeAnswered { var fakeReply: Reply { Self.examples.reply } }
extension Routines.ReadProposal: FakeAnswered { var fakeReply: Reply { Self.examples.reply } }
extension Routines.ConfirmDay: FakeAnswered { var fakeReply: Reply { Self.examples.reply } }
extension Routines.CopyDay: FakeAnswered { var fakeReply: Reply { Self.examples.reply } }
extension Routines.ReadDay: FakeAnswered { var fakeReply: Reply { Self.examples.reply } }
extension Routines.ReadDays: FakeAnswered { var fakeReply: Reply { Self.examples.reply } }
extension Routines.MarkAction: FakeAnswered { var fakeReply: Reply { Self.examples.reply } }
extension Routines.RemoveEntry: FakeAnswered { var fakeReply: Reply { Self.examples.reply } }
extension Routines.DeleteDay: FakeAnswered { var fakeReply: Reply { Self.examples.reply } }
