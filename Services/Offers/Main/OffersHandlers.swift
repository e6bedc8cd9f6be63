import Bus
import OffersService

extension DealService {
    /// One handler for each type that the service answers.
    var handlers: [any Answering] {
        [
            SubmitOfferHandler(self),
            EditOfferHandler(self),
            EnableOfferHandler(self),
            DecideOfferHandler(self),
            ReadOfferHandler(self),
            ReadOffersHandler(self),
            ReadPendingHandler(self),
            ReadProductTypesHandler(self),
            FindDealsHandler(self),
            SearchDealsHandler(self),
            ReadDealHandler(self),
            ReadHistoryHandler(self),
            SetSubscriptionHandler(self),
            ReadSubscriptionsHandler(self),
            SetPreferencesHandler(self),
            ReadPreferencesHandler(self),
            ReadRewardsHandler(self),
            JoinRewardsHandler(self),
            ExplainOfferHandler(self),
            CountAudienceHandler(self),
            PushOfferHandler(self),
            SeeDealHandler(self),
            ReadOutcomeHandler(self),
            ReserveCouponHandler(self)
        ]
    }
}
