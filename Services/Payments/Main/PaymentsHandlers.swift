import Bus
import PaymentsService

extension ChargeDesk {
    /// One handler for each type that the service answers.
    var handlers: [any Answering] {
        [
            CreatePaymentHandler(desk: self),
            IssueCodeHandler(desk: self),
            RedeemCodeHandler(desk: self),
            RequestChargeHandler(desk: self),
            ApproveChargeHandler(desk: self),
            DeclineChargeHandler(desk: self),
            CancelChargeHandler(desk: self),
            RefundChargeHandler(desk: self),
            ReadChargeHandler(desk: self),
            ReadReceiptHandler(desk: self),
            ReadChargesHandler(desk: self),
            ReadEnabledHandler(desk: self),
            SetEnabledHandler(desk: self)
        ]
    }
}
