import Bus
import OrderingService

extension OrderService {
    /// One handler for each type that the service answers.
    var handlers: [any Answering] {
        [
            SetMenuHandler(self),
            ReadMenuHandler(self),
            ReadMenusHandler(self),
            BeginOrderHandler(self),
            AddItemHandler(self),
            DiscardOrderHandler(self),
            PayOrderHandler(self),
            FinishOrderHandler(self),
            ReadOrderHandler(self),
            ReadCartHandler(self),
            ReadOrdersHandler(self)
        ]
    }
}
