import Contracts

extension Storefront.SetPage: FakeAnswered { var fakeReply: Reply { Samples.pageView } }
extension Storefront.ReadPreview: FakeAnswered { var fakeReply: Reply { Samples.pageView } }
extension Storefront.ReadPage: FakeAnswered { var fakeReply: Reply { Samples.pageView } }
extension Storefront.ReadPages: FakeAnswered { var fakeReply: Reply { Reply(pages: [], next: nil) } }
