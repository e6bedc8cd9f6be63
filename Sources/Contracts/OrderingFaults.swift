extension FaultCode {
    package static let menuInvalid = FaultCode("ordering.menu_invalid", 422, .never, "The menu is not valid")
    package static let menuMerchantNotFound = FaultCode(
        "ordering.merchant_not_found", 404, .never, "There is no such merchant")
    package static let menuNotFound = FaultCode("ordering.menu_not_found", 404, .never, "This merchant has no menu")
    package static let choiceUnknown = FaultCode(
        "ordering.choice_unknown", 422, .never, "The menu does not have this item")
    package static let orderNotFound = FaultCode("ordering.order_not_found", 404, .never, "There is no such order")
    package static let orderOpen = FaultCode(
        "ordering.order_open", 409, .never, "There is an unpaid order at this merchant already")
    package static let orderNotOpen = FaultCode("ordering.order_not_open", 409, .never, "The order cannot be changed")
    package static let orderFull = FaultCode("ordering.order_full", 422, .never, "The order has no room for more")
    package static let orderEmpty = FaultCode("ordering.order_empty", 409, .never, "There is nothing in the order")
    package static let totalChanged = FaultCode("ordering.total_changed", 409, .never, "The total has changed")
    package static let orderClosed = FaultCode(
        "ordering.order_closed", 409, .never, "The order was closed without payment")
    package static let orderNotPaid = FaultCode("ordering.order_not_paid", 409, .never, "The order is not paid")
    package static let orderIDReused = FaultCode(
        "ordering.id_reused", 422, .never, "The same id was used for something else")
}
