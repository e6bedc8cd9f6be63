/// Every message there is. What is not listed here does not exist: the golden files and the documents come from it.
package enum Catalogue {
    package static let asks: [any Ask.Type] = [
        Auth.RegisterAccount.self, Auth.ReadAccount.self, Auth.OpenSession.self, Auth.ReadSession.self,
        Auth.CloseSession.self, Auth.SetPIN.self, Auth.VerifyPIN.self, Auth.ReadProfile.self, Auth.UpdateProfile.self,
        Auth.ChangePassword.self, Auth.DecideMerchant.self, Auth.ReadMerchants.self, Auth.RequestReset.self,
        Auth.UseReset.self, Auth.RestoreAddress.self, Auth.ReadAdministrators.self, Auth.RenewAdministrator.self,
        Auth.RemoveAdministrator.self, Auth.ReadLetter.self, Auth.ConfirmLetter.self, ReadFacts<Auth>.self,

        Wallet.AddCard.self, Wallet.ChooseCard.self, Wallet.ReadCard.self, Wallet.ReadCards.self,
        Wallet.ReloadCard.self, Wallet.OpenAccount.self, Wallet.ReadAccount.self, Wallet.PostPayment.self,
        Wallet.ClosePayment.self, Wallet.PlaceHold.self, Wallet.CaptureHold.self, Wallet.VoidHold.self,
        Wallet.PostRefund.self, Wallet.PostTransfer.self, Wallet.ReadEntries.self, Wallet.ReadLedger.self,
        Wallet.VerifyLedger.self, ReadFacts<Wallet>.self,

        Payments.CreatePayment.self, Payments.IssueCode.self, Payments.RedeemCode.self, Payments.RequestCharge.self,
        Payments.ApproveCharge.self, Payments.DeclineCharge.self, Payments.CancelCharge.self,
        Payments.RefundCharge.self, Payments.ReadCharge.self, Payments.ReadCharges.self, Payments.ReadReceipt.self,
        Payments.ReadEnabled.self, Payments.SetEnabled.self,
        ReadFacts<Payments>.self,

        Location.UpdatePosition.self, Location.UpdatePositions.self, Location.ReadPosition.self,
        Location.ForgetPosition.self, Location.SetSharing.self, Location.ReadSharing.self, Location.PutPlace.self,
        Location.RemovePlace.self, Location.ReadPlaces.self, Location.FindCustomers.self, Location.FindMerchants.self,
        Location.ProvePresence.self, ReadFacts<Location>.self,

        ReadTable<Auth>.self, ReadTable<Payments>.self, ReadTable<Location>.self, ReadTable<Offers>.self,

        Offers.SubmitOffer.self, Offers.EditOffer.self, Offers.EnableOffer.self, Offers.DecideOffer.self,
        Offers.ReadOffer.self, Offers.ReadOffers.self, Offers.ReadPending.self,
        Offers.ReadProductTypes.self, Offers.FindDeals.self, Offers.SearchDeals.self, Offers.ReadDeal.self,
        Offers.ReadHistory.self, Offers.SetSubscription.self, Offers.ReadSubscriptions.self,
        Offers.SetPreferences.self, Offers.ReadPreferences.self, Offers.ReadRewards.self, Offers.JoinRewards.self,
        Offers.ExplainOffer.self, Offers.CountAudience.self, Offers.PushOffer.self, Offers.ReserveCoupon.self,
        ReadFacts<Offers>.self,

        Notifications.ReadInbox.self, Notifications.ReadNotice.self, Notifications.MarkNotice.self,
        Notifications.SendNotification.self, Notifications.SendMail.self, Notifications.AddEndpoint.self,
        Notifications.ReadEndpoints.self, Notifications.RemoveEndpoint.self, Notifications.ReadPushKey.self,
        Notifications.ReadSettings.self, Notifications.SetSettings.self, Notifications.ReadDeadLetters.self,
        Notifications.ReadDelivery.self, Notifications.ReplayDelivery.self, Notifications.DiscardDelivery.self,
        ReadFacts<Notifications>.self,

        WriteBackup<Auth>.self, WriteBackup<Wallet>.self, WriteBackup<Payments>.self, WriteBackup<Location>.self,
        WriteBackup<Offers>.self, WriteBackup<Notifications>.self,

        ReadStats<Auth>.self, ReadStats<Wallet>.self, ReadStats<Payments>.self, ReadStats<Location>.self,
        ReadStats<Offers>.self, ReadStats<Notifications>.self, ReadStats<Broker>.self,
        ReadStats<Gateway>.self,
        ReadSpans<Auth>.self, ReadSpans<Wallet>.self, ReadSpans<Payments>.self, ReadSpans<Location>.self,
        ReadSpans<Offers>.self, ReadSpans<Notifications>.self, ReadSpans<Broker>.self, ReadSpans<Gateway>.self,
        Broker.ReadQueues.self, Broker.ReadWorkers.self, Broker.PauseService.self, Broker.ResumeService.self
    ]

    package static let facts: [any Fact.Type] = [
        Auth.AccountRegistered.self, Auth.ProfileChanged.self, Auth.MerchantDecided.self, Auth.PINLocked.self,
        Auth.SessionChanged.self, Auth.SessionClosed.self, Auth.CredentialChanged.self, Auth.LetterQueued.self,
        FactsHead<Auth>.self,

        Wallet.CardAdded.self, Wallet.CardReloaded.self, Wallet.AccountOpened.self, Wallet.PaymentPosted.self,
        Wallet.PaymentClosed.self, Wallet.HoldPlaced.self, Wallet.HoldCaptured.self, Wallet.HoldVoided.self,
        Wallet.HoldExpired.self, Wallet.RefundPosted.self, Wallet.TransferPosted.self, Wallet.OperationDeclined.self,
        FactsHead<Wallet>.self,

        Payments.ChargeRequested.self, Payments.ChargeCaptured.self, Payments.ChargeClosed.self,
        Payments.ChargeRefunded.self, FactsHead<Payments>.self,

        Location.FenceEntered.self, Location.FenceDwelled.self, Location.FenceExited.self, FactsHead<Location>.self,

        Offers.OfferSubmitted.self, Offers.OfferDecided.self, Offers.OfferSent.self, Offers.CouponRedeemed.self,
        FactsHead<Offers>.self,

        Notifications.NoticeAdded.self, Notifications.NoticeDelivered.self, Notifications.NoticeFailed.self,
        FactsHead<Notifications>.self
    ]
}
