extension Catalogue {
    /// The fields of each keyed ask that are its key: the same values with the same content are one act.
    package static let keys: [String: [String]] = [
        Auth.RegisterAccount.type.name: ["account"],

        Wallet.AddCard.type.name: ["card"],
        Wallet.ReloadCard.type.name: ["operation"],
        Wallet.PostPayment.type.name: ["payment"],
        Wallet.ClosePayment.type.name: ["payment"],
        Wallet.PlaceHold.type.name: ["hold"],
        Wallet.CaptureHold.type.name: ["operation"],
        Wallet.VoidHold.type.name: ["operation"],
        Wallet.PostRefund.type.name: ["operation"],
        Wallet.PostTransfer.type.name: ["operation"],

        Payments.CreatePayment.type.name: ["charge"],
        Payments.RedeemCode.type.name: ["attempt"],
        Payments.RequestCharge.type.name: ["charge"],
        Payments.ApproveCharge.type.name: ["charge"],
        Payments.DeclineCharge.type.name: ["charge"],
        Payments.CancelCharge.type.name: ["charge"],
        Payments.RefundCharge.type.name: ["refund"],

        Offers.SubmitOffer.type.name: ["offer"],
        Offers.DecideOffer.type.name: ["offer", "revision"],
        Offers.PushOffer.type.name: ["push"],
        Offers.ReserveCoupon.type.name: ["coupon", "charge"],

        Notifications.SendNotification.type.name: ["notice"],
        Notifications.SendMail.type.name: ["notice"],
        Notifications.AddEndpoint.type.name: ["endpoint"]
    ]
}
