import Bus
import PaymentsService

extension ChargeService {
    /// One handler for each type that the service answers.
    var handlers: [any Answering] {
        [
            CreatePaymentHandler(service: self),
            IssueCodeHandler(service: self),
            RedeemCodeHandler(service: self),
            RequestChargeHandler(service: self),
            ApproveChargeHandler(service: self),
            DeclineChargeHandler(service: self),
            CancelChargeHandler(service: self),
            RefundChargeHandler(service: self),
            ReadChargeHandler(service: self),
            ReadReceiptHandler(service: self),
            ReadChargesHandler(service: self),
            ReadRefundsHandler(service: self),
            ReadEnabledHandler(service: self),
            SetEnabledHandler(service: self),
            ReadChargeableHandler(service: self),
            SetPermissionHandler(service: self),
            ReadPermissionsHandler(service: self)
        ]
    }
}
