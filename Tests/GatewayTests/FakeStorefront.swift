import Contracts

extension Storefront.SetPage: FakeAnswered { var fakeReply: Reply { Samples.pageView } }
extension Storefront.ReadPreview: FakeAnswered { var fakeReply: Reply { Samples.pageView } }
extension Storefront.ReadPage: FakeAnswered { var fakeReply: Reply { Samples.pageView } }
extension Storefront.ReadPages: FakeAnswered { var fakeReply: Reply { Reply(pages: [], next: nil) } }
extension Storefront.SetLogo: FakeAnswered { var fakeReply: Reply { Self.examples.reply } }
extension Storefront.ReadLogo: FakeAnswered { var fakeReply: Reply { Self.examples.reply } }
