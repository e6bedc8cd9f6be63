import Contracts

extension Ordering.SetMenu: FakeAnswered { var fakeReply: Reply { Samples.menuView } }
extension Ordering.ReadMenu: FakeAnswered { var fakeReply: Reply { Samples.menuView } }
extension Ordering.ReadMenus: FakeAnswered { var fakeReply: Reply { Reply(menus: [], next: nil) } }
extension Ordering.ReadCart: FakeAnswered { var fakeReply: Reply { Reply(order: Samples.openOrder) } }
extension Ordering.ReadOrder: FakeAnswered { var fakeReply: Reply { Samples.order(.paid) } }
extension Ordering.ReadOrders: FakeAnswered {
    var fakeReply: Reply { Reply(orders: [Samples.order(.paid)], next: nil) }
}
extension Ordering.BeginOrder: FakeAnswered {
    var fakeReply: Reply { Reply(order: Samples.openOrder, replayed: false) }
}
extension Ordering.AddItem: FakeAnswered { var fakeReply: Reply { Reply(order: Samples.openOrder, replayed: false) } }
extension Ordering.DiscardOrder: FakeAnswered {
    var fakeReply: Reply { Reply(order: Samples.order(.closed), replayed: false) }
}
extension Ordering.PayOrder: FakeAnswered {
    var fakeReply: Reply { Reply(order: Samples.order(.paid), replayed: false) }
}
extension Ordering.FinishOrder: FakeAnswered {
    var fakeReply: Reply { Reply(order: Samples.order(.ready), replayed: false) }
}
