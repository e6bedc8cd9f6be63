import Contracts

/// Who may be the `actor` of each ask. Services hold to it by themselves; a test asks each of them as everybody.
enum AskActors {
    /// By role the field that has to name the actor's account, or `*` where any account of the role may ask. A role
    /// that is missing may not ask. Nil where nothing is known of the ask.
    static func of(_ ask: any Ask.Type) -> [Auth.Role: String]? { table[ask.type.name] }

    private static let services: [Auth.Role: String] = [:]
    private static let anyone: [Auth.Role: String] = [.customer: "*", .merchant: "*", .administrator: "*"]
    private static let administrators: [Auth.Role: String] = [.administrator: "*"]
    private static let customer: [Auth.Role: String] = [.customer: "customer"]
    private static let merchant: [Auth.Role: String] = [.merchant: "merchant"]
    private static let either: [Auth.Role: String] = [.customer: "account", .merchant: "account"]

    private static func everybody(_ field: String) -> [Auth.Role: String] {
        [.customer: field, .merchant: field, .administrator: field]
    }

    private static let table: [String: [Auth.Role: String]] = {
        var table: [String: [Auth.Role: String]] = [:]
        for (actors, asks) in groups { for ask in asks { table[ask.type.name] = actors } }
        // What each service answers besides.
        for ask in Catalogue.asks where table[ask.type.name] == nil {
            let name = ask.type.name
            if name.hasSuffix(".stats.read.v1") { table[name] = anyone }
            if name.hasSuffix(".backup.write.v1") { table[name] = services }
            if [".facts.read.v1", ".spans.read.v1", ".table.read.v1"].contains(where: { name.hasSuffix($0) }) {
                table[name] = administrators
            }
        }
        return table
    }()

    private static let groups: [(actors: [Auth.Role: String], asks: [any Ask.Type])] = [
        // `role` and `approved` of a registration are restricted: the channel's description says how.
        (
            anyone,
            [
                Auth.RegisterAccount.self, Auth.ReadAccount.self, Auth.OpenSession.self, Auth.ReadSession.self,
                Auth.RequestReset.self, Auth.UseReset.self, Auth.RestoreAddress.self
            ]
        ),
        (
            everybody("account"),
            [
                Auth.UpdateProfile.self, Auth.ChangePassword.self, Auth.SetPIN.self, Auth.VerifyPIN.self,
                Auth.CloseSession.self
            ]
        ),
        ([.customer: "account", .merchant: "account", .administrator: "*"], [Auth.ReadProfile.self]),
        (administrators, [Auth.DecideMerchant.self, Auth.ReadMerchants.self]),
        (
            services,
            [
                Auth.ReadAdministrators.self, Auth.RenewAdministrator.self, Auth.RemoveAdministrator.self,
                Auth.ReadLetter.self, Auth.ConfirmLetter.self
            ]
        ),

        (
            customer,
            [
                Wallet.AddCard.self, Wallet.ChooseCard.self, Wallet.ReadCard.self, Wallet.ReadCards.self,
                Wallet.ReloadCard.self, Wallet.PostPayment.self, Wallet.PlaceHold.self
            ]
        ),
        ([.merchant: "merchant", .administrator: "*"], [Wallet.OpenAccount.self, Wallet.ReadAccount.self]),
        (services, [Wallet.ClosePayment.self]),
        // Of another merchant's hold: `bus.forbidden`.
        ([.merchant: "*"], [Wallet.CaptureHold.self, Wallet.VoidHold.self]),
        (merchant, [Wallet.PostRefund.self]),
        ([.customer: "from.party", .merchant: "from.party"], [Wallet.PostTransfer.self]),
        ([.customer: "holder.party", .merchant: "holder.party"], [Wallet.ReadEntries.self]),
        (administrators, [Wallet.ReadLedger.self, Wallet.VerifyLedger.self]),

        (
            customer,
            [
                Payments.CreatePayment.self, Payments.IssueCode.self, Payments.ReadEnabled.self,
                Payments.SetEnabled.self, Payments.ApproveCharge.self, Payments.DeclineCharge.self
            ]
        ),
        (
            merchant,
            [
                Payments.RedeemCode.self, Payments.RequestCharge.self, Payments.CancelCharge.self,
                Payments.RefundCharge.self
            ]
        ),
        // An administrator names nobody.
        (everybody("party"), [Payments.ReadCharge.self, Payments.ReadCharges.self, Payments.ReadReceipt.self]),

        (
            customer,
            [
                Location.UpdatePosition.self, Location.ReadPosition.self, Location.ForgetPosition.self,
                Location.SetSharing.self, Location.ReadSharing.self, Location.FindMerchants.self
            ]
        ),
        ([.customer: "fixes.customer"], [Location.UpdatePositions.self]),
        (
            merchant,
            [
                Location.PutPlace.self, Location.RemovePlace.self, Location.ReadPlaces.self,
                Location.FindCustomers.self, Location.ProvePresence.self
            ]
        ),

        (
            merchant,
            [
                Offers.SubmitOffer.self, Offers.EditOffer.self, Offers.EnableOffer.self, Offers.ReadOffers.self,
                Offers.ReadProductTypes.self, Offers.PushOffer.self
            ]
        ),
        // Another merchant's offer is as if it were not there.
        ([.merchant: "*", .administrator: "*"], [Offers.ReadOffer.self, Offers.CountAudience.self]),
        (administrators, [Offers.DecideOffer.self, Offers.ReadPending.self, Offers.ExplainOffer.self]),
        (
            customer,
            [
                Offers.FindDeals.self, Offers.SearchDeals.self, Offers.ReadDeal.self, Offers.ReadHistory.self,
                Offers.SetSubscription.self, Offers.ReadSubscriptions.self, Offers.SetPreferences.self,
                Offers.ReadPreferences.self, Offers.ReadRewards.self, Offers.JoinRewards.self
            ]
        ),
        (services, [Offers.ReserveCoupon.self]),

        (
            either,
            [
                Notifications.ReadInbox.self, Notifications.ReadNotice.self, Notifications.MarkNotice.self,
                // Web hooks are for merchants.
                Notifications.AddEndpoint.self, Notifications.ReadEndpoints.self, Notifications.RemoveEndpoint.self,
                Notifications.ReadSettings.self, Notifications.SetSettings.self
            ]
        ),
        (anyone, [Notifications.ReadPushKey.self]),
        (
            administrators,
            [
                Notifications.SendNotification.self, Notifications.ReadDeadLetters.self,
                Notifications.ReadDelivery.self, Notifications.ReplayDelivery.self, Notifications.DiscardDelivery.self
            ]
        ),
        (services, [Notifications.SendMail.self]),

        (
            anyone,
            [Broker.ReadQueues.self, Broker.ReadWorkers.self, Broker.PauseService.self, Broker.ResumeService.self]
        )
    ]
}
