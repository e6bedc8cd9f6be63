import Bus
import NotificationsService

extension NoticeService {
    /// One handler for each type that the service answers.
    var handlers: [any Answering] {
        [
            ReadInboxHandler(self),
            ReadNoticeHandler(self),
            MarkNoticeHandler(self),
            SendNotificationHandler(self),
            SendMailHandler(self),
            AddEndpointHandler(self),
            ReadEndpointsHandler(self),
            RemoveEndpointHandler(self),
            ReadPushKeyHandler(self),
            ReadDeliveriesHandler(self),
            TestEndpointHandler(self),
            ReadSettingsHandler(self),
            SetSettingsHandler(self),
            ReadDeadLettersHandler(self),
            ReadDeliveryHandler(self),
            ReplayDeliveryHandler(self),
            DiscardDeliveryHandler(self)
        ]
    }
}
