/// A copy of the comments in `Sources/Contracts`: a path, a colon and the comment on each line. Written by the tests of
/// golden files, `BILLFOLD_WRITE_GOLDEN=1`; never by hand.
enum ContractsComments {
    static let text = #"""
        Ask: A request to one service and what it answers.
        Auth.AccountRegistered.productTypes: What kinds of products a merchant has (001-72); absent where it says none.
        Auth.AccountRegistered.status: A merchant's.
        Auth.AccountRegistered.username: Absent in facts that are older than this field.
        Auth.AccountView.status: A merchant's: only an approved one may charge (A36).
        Auth.ChangePassword.Reply.closed: The sessions that this ended.
        Auth.ChangePassword.newPassword: 8 to 128 bytes of UTF-8.
        Auth.ChangePassword.pin: Where it was not entered in the session lately. Counts as a try at it.
        Auth.ChangePassword.session: The one that stays; all end where none is named.
        Auth.ChangePassword: Sets another password; the present one proves who asks, and every try counts. An account that has a PIN proves it too: entered in the session lately, or given. Ends the account's other sessions.
        Auth.CloseSession.Reply.closed: Whether there was a session to end.
        Auth.CloseSession: Logs out. Ending an ended session is no error.
        Auth.ConfirmLetter.Reply.confirmed: Whether it still waited.
        Auth.ConfirmLetter: Says that a letter is in the hands of its sender: auth forgets what it says. For services.
        Auth.Credential.address: The e-mail address, to which codes for new passwords are mailed.
        Auth.Credential.resetPassword: The password, set by a mailed code.
        Auth.Credential.restoredAddress: The address, put back by a mailed code; the password is another one too.
        Auth.Credential: What can open an account or recover it.
        Auth.CredentialChanged: An account has another address, password or PIN. Its owner is told in each case.
        Auth.DecideMerchant.reason: What the merchant is told; at most 250 bytes.
        Auth.DecideMerchant: Approves or rejects a merchant (A36). The same again is harmless; the last one counts. For administrators and services.
        Auth.Gender: `M` or `F` (001-96); absent where a customer does not say.
        Auth.LetterKind.change: News of another address, password or PIN.
        Auth.LetterKind.code: A code to set a new password with. Its reader waits for it.
        Auth.LetterKind: What a letter brings to the owner of an account.
        Auth.LetterQueued.expires: After this the letter cannot be read any more.
        Auth.LetterQueued: A letter to the owner of an account waits to be sent. `auth.letter.read.v1` has what it says.
        Auth.MerchantDecided: The administrator approved or rejected a merchant (A36).
        Auth.MerchantStatus: Whether a merchant may charge and send (A36).
        Auth.MerchantView.decided: When it was approved or rejected, and why; absent while nobody has said so.
        Auth.OpenSession.Reply.token: 256 random bits; shown this once and stored as a digest only.
        Auth.OpenSession: Logs in. Every try counts; an unknown username costs the same time as a wrong password.
        Auth.Profile.address: A merchant's primary location, in words (001-72); at most 250 bytes.
        Auth.Profile.birthdate: From 1900-01-01 to yesterday.
        Auth.Profile.businessName: A merchant's: what the business is called more exactly (001-107); at most 100 bytes.
        Auth.Profile.email: One address, RFC 5321's Mailbox without literals and quotes; at most 254 bytes.
        Auth.Profile.firstName: At most 100 bytes each.
        Auth.Profile.productTypes: What a merchant sells: at most 20 different ones, each at most 40 bytes (001-72).
        Auth.Profile: What a person or a business says of itself (A38, A39). All of it is optional, and what is absent is not known. Personal: an account's own, its administrators' and the services' to read.
        Auth.ProfileChanged.productTypes: A merchant's; absent where it says none.
        Auth.ProfileChanged: What others and the targeting of offers know of an account has changed; all of it as it is now.
        Auth.ProfileView.status: A merchant's.
        Auth.ReadAccount: What an account shows of itself, by its id or by its username (exactly one of the two).
        Auth.ReadAdministrators.Reply.next: The `after` of the next page; absent on the last.
        Auth.ReadAdministrators.limit: 1 to 100.
        Auth.ReadAdministrators: Administrators in the order of their ids, in pages. For services only: the operator's command is one.
        Auth.ReadLetter.Reply.expires: After this it is sent no more.
        Auth.ReadLetter.Reply.subject: One line.
        Auth.ReadLetter.Reply.to: One address, RFC 5321's Mailbox; at most 254 bytes.
        Auth.ReadLetter: What one of auth's letters says, and to which address. For services. It may hold a code. It is gone once the letter is confirmed or its time is up.
        Auth.ReadMerchants.Reply.next: The `after` of the next page; absent on the last.
        Auth.ReadMerchants.limit: 1 to 100. Fewer come where more would not fit into an envelope.
        Auth.ReadMerchants.status: Only these; all where none is given.
        Auth.ReadMerchants: Merchants in the order of their ids, in pages. For administrators and services.
        Auth.ReadProfile: All that an account says of itself. For the account, administrators and services.
        Auth.ReadSession.tokenDigest: SHA-256 of the token's text, 64 lowercase hex digits.
        Auth.ReadSession: Whose token this is. The bus carries the token's SHA-256 only.
        Auth.RegisterAccount.approved: A merchant's: whether it may charge from the start (A36). Of services only; where it is absent, auth's setting says.
        Auth.RegisterAccount.name: What others see: a merchant's name on receipts. Where none is given, a merchant's business name, or else the username; at most 100 bytes.
        Auth.RegisterAccount.password: 8 to 128 bytes of UTF-8.
        Auth.RegisterAccount.username: 1 to 64 characters of letters, digits and `._@+-`.
        Auth.RegisterAccount: Makes an account. Usernames are unique over all roles and case-sensitive (A41). Keyed on `account`.
        Auth.RemoveAdministrator.Reply.closed: The sessions that this ended.
        Auth.RemoveAdministrator.evenLast: Whether the only administrator may be removed too.
        Auth.RemoveAdministrator: Removes an administrator's account with its sessions; the username is free again. For services only.
        Auth.RenewAdministrator.Reply.closed: The sessions that this ended.
        Auth.RenewAdministrator.newPassword: 8 to 128 bytes of UTF-8.
        Auth.RenewAdministrator: Sets an administrator's password and ends all of the account's sessions. For services only.
        Auth.RequestReset.Reply.expires: How long a code lasts, if one has been mailed.
        Auth.RequestReset.email: As the account has it, but for the case of ASCII letters.
        Auth.RequestReset: Has a code for a new password mailed to whoever names an account and its e-mail address (001-73, A42). The answer is the same whether or not the two belong together, and whether or not there is such an account. Each ask counts against the username. A further one puts another code in the place of the one before.
        Auth.RestoreAddress.Reply.closed: The sessions that this ended.
        Auth.RestoreAddress.code: As it was mailed; case, blanks and hyphens do not matter.
        Auth.RestoreAddress.newPassword: 8 to 128 bytes of UTF-8.
        Auth.RestoreAddress: Puts the e-mail address back that the account had, by the code that was mailed there when it was changed, and sets a new password. Every wrong code counts. Ends all the account's sessions, spends the codes of later changes, and holds transfers to others for a day.
        Auth.SessionChanged: What a session may do has changed: another PIN was set, or transfers are held. Copies have to be read again.
        Auth.SessionView.pinVerifiedUntil: Until when the PIN counts as entered; absent when it does not.
        Auth.SessionView.transfersHeldUntil: Until when the account may transfer no money to others, as it was recovered or its e-mail address changed; absent when it may.
        Auth.SetPIN.Reply.changed: The sessions in which the old PIN was entered: they count as without PIN now. Absent without any.
        Auth.SetPIN.currentPin: The PIN that is replaced, where it was not entered in the session lately. Counts as a try at it.
        Auth.SetPIN.pin: Four digits.
        Auth.SetPIN.session: The session that asks.
        Auth.SetPIN: Sets the account's PIN; the password proves who asks. Clears failures and lock. An account that has a PIN also proves that one: entered in the session lately, or given. A PIN that is locked, and that of an account whose transfers are held, is replaced without it; then transfers are held for a day.
        Auth.UpdateProfile.fields: The fields of `profile` that are to change: those that it lacks are erased. All of them where it is absent.
        Auth.UpdateProfile.name: What others see; as it was where none is given.
        Auth.UpdateProfile.password: The present password, for another e-mail address.
        Auth.UpdateProfile.pin: The PIN, for another e-mail address, where it was not entered in the session lately.
        Auth.UpdateProfile.session: The session that asks.
        Auth.UpdateProfile: Puts these in the place of what the account has said of itself (001-46, 001-64). For the account and services. The e-mail address can recover the account. Another one, or none, needs the password, which counts as a log-in, and the PIN of an account that has one: entered in the session lately, or given. The old address gets a code that puts it back, and transfers to others are held for a day.
        Auth.UseReset.Reply.closed: The sessions that this ended.
        Auth.UseReset.code: As it was mailed; case, blanks and hyphens do not matter.
        Auth.UseReset.newPassword: 8 to 128 bytes of UTF-8.
        Auth.UseReset: Sets a new password by a mailed code, which is then spent. Every wrong code counts. Ends all the account's sessions, and holds its transfers to others for a day.
        Auth.VerifyPIN: Checks a PIN and, when it is right, marks the session for a quarter of an hour. Every wrong one counts.
        Auth: All that one may ask of auth, or hear from it: who is who, and who has proved it.
        Broker.PauseService.forMilliseconds: The pause ends by itself after so long, 1 to 300,000; absent: when it is resumed.
        Broker.PauseService: Holds a service's asks back in its queue until it is resumed; what its workers have, they finish. Asks of `try.` and the service's name are not held back.
        Broker.QueueStats.credit: Asks that its workers take at once, together.
        Broker.QueueStats.oldestMilliseconds: How long the oldest waiting ask has waited.
        Broker.ReadQueues.Reply.drops: How many messages were dropped, by reason.
        Broker.ReadWorkers.Reply.workers: By service, and within one in the order in which they came.
        Broker.ReadWorkers: The workers that are registered, those of one service or all.
        Broker.WorkerStats.connectedMilliseconds: Since its READY.
        Broker.WorkerStats.credit: Asks it takes at once.
        Broker.WorkerStats.dialect: `mdp01`, `mdp02`, `majortomo` or `billfold`.
        Broker.WorkerStats.draining: Has said goodbye, and finishes what it has.
        Broker.WorkerStats.processID: Absent over tcp and from another container: only the kernel's word counts.
        Broker.WorkerStats.silentMilliseconds: Since it was last heard of.
        Broker: What the broker's operators may ask over the bus. (How asks are routed is Majordomo's matter, not JSON's.)
        BusService: A process on the bus. Its name is the first part of the types of all that it answers and publishes.
        Catalogue: Every message there is. What is not listed here does not exist: the golden files and the documents come from it.
        DataCopy.chain: A ledger's hash of the newest fact's row, in hex: it covers all facts and entries.
        DataCopy.cursors: The last fact of each source that it knows of.
        DataCopy.entries: A ledger's newest entry and, in hex, the hash that all entries before it have led to.
        DataCopy.file: Path below the directory asked for: `wallet/ledger.sqlite`.
        DataCopy.head: The newest fact in it.
        DataCopy.keys: Paths below the directory for keys, of those that were copied.
        DataCopy.pauseMicroseconds: The longest time for which the copying has kept the service's writer from its work.
        DataCopy.sha256: SHA-256 of the file, in hex.
        DataCopy: A copy of a service's data, and how far its facts had come then.
        DataOwner: A service with data of its own, which it publishes facts about and copies when it is asked to.
        Fact: Something that has happened, told by its owner to whoever listens. Named in the past tense.
        FactSource: A process that publishes facts; its name is the `source` of their envelopes.
        FactsHead: How far a source has come: told once a second, so that a lost last fact is noticed too. Has no sequence itself.
        FactsPage.facts: Envelopes as published, oldest first.
        FactsPage.head: The sequence of the newest fact there is.
        FactsPage: Facts one after another without a gap, beginning behind `after`.
        Fault: A refusal: an RFC 9457 problem with a stable `code` and advice on retrying. Never holds internal text.
        FaultCode.status: The HTTP status that the gateway gives it.
        FaultCode: The stable name of a refusal. The code is API; titles may be reworded.
        Gateway: What serves HTTP. On the bus it answers for itself only: what it has counted, and what it remembers of requests.
        Location.ExitReason.forgotten: The position was forgotten: too old, or the customer wanted it so.
        Location.ExitReason.left: Was seen outside.
        Location.ExitReason.removed: The place was removed, or moved.
        Location.FenceDwelled.entered: When the visit began.
        Location.FenceDwelled: The customer has been at the place for five minutes by now; told once a visit.
        Location.FenceEntered: A customer came within 0.10 km of a place.
        Location.FenceExited: The visit is over; each that was told of as entered ends with one of these.
        Location.FindCustomers.Reply.total: How many there are, shown or not.
        Location.FindCustomers.freshSeconds: 1 to 86,400: how old a fix may be. 86,400 stands for any age (A49), as nothing is kept longer.
        Location.FindCustomers.limit: 1 to 100. There is no next page: people move faster than pages are turned.
        Location.FindCustomers.place: One of the merchant's own; all of them where it is absent, and then each customer at the nearest.
        Location.FindCustomers: Customers within 0.10 km of a merchant's place, nearest first (001-79, 001-88, A43), at most `limit`. Only those who share, and whose fix is younger than ten minutes (A49) or than `freshSeconds`. It tells who is there and about how far away, never where: distances are rounded up to 25 m, so that several places of one merchant do not add up to a coordinate.
        Location.FindMerchants.Reply.total: How many there are, shown or not.
        Location.FindMerchants.limit: 1 to 100.
        Location.FindMerchants: Merchants' places within 0.20 km of a customer's last position, nearest first (001-80, 001-89, A45), at most `limit`. A merchant with two of them near is there twice.
        Location.Fix.time: When the customer was there; where it is absent, now, and after all that came before.
        Location.Fix: Where a customer was at a moment, as the customer's device found it.
        Location.ForgetPosition.Reply.forgotten: Whether there was one.
        Location.ForgetPosition: Forgets the last position; fixes from before this moment do not bring one back.
        Location.NearbyCustomer.distanceMetres: Rounded up to 25 m.
        Location.NearbyCustomer.time: Of the fix.
        Location.NearbyCustomer.username: Absent while auth cannot be asked.
        Location.NearbyMerchant.distanceMetres: Rounded up to whole metres.
        Location.NearbyMerchant.username: Absent while auth cannot be asked.
        Location.PlaceView: A place where a merchant does business; there may be several (001-90, 001-131).
        Location.Position.expires: When it is forgotten unless a newer one comes.
        Location.Presence.distanceMetres: Rounded up to 25 m.
        Location.Presence.time: Of the fix.
        Location.Presence: That a customer was at a merchant's place.
        Location.ProvePresence: Whether a customer is at one of a merchant's places now, for a charge that is requested there (001-3, 001-51). As near and as fresh as `FindCustomers` would show the customer; the refusal says what is missing. For services and the merchant.
        Location.PutPlace.name: What customers see: 1 to 100 bytes of UTF-8.
        Location.PutPlace: Makes a place, or changes it. The merchant chooses its id.
        Location.ReadPlaces: A merchant's own places, in the order in which they were made.
        Location.ReadPosition: The last position (001-35). For the customer alone, and for services.
        Location.RemovePlace.Reply.removed: Whether there was one.
        Location.RemovePlace: Removes a place. Removing one that is not there is no error.
        Location.SetSharing: Begins or ends the sharing of a customer's position. Nobody shares before they said so; whoever ends it is forgotten at once.
        Location.SharingView.keptSeconds: How long a position is kept after its fix, where no newer one comes.
        Location.UpdateOutcome.expired: It was past its time to live when it came.
        Location.UpdateOutcome.older: A newer one is known, or the position was forgotten since.
        Location.UpdateOutcome.stored: It is the known position now.
        Location.UpdatePosition: Stores the position of a customer who shares it (001-85), in place of the one before. What counts is the time of the fix, not that of the message: an older one than the known is left aside, and the same one again is harmless. A fix from the future is refused, less a minute for clocks that differ.
        Location.UpdatePositions.Refused.code: The code of the refusal that it would have had alone.
        Location.UpdatePositions.Refused.index: Its place in the ask, from 0.
        Location.UpdatePositions.Refused: A fix that was not taken.
        Location.UpdatePositions: Many fixes in one ask, each as `UpdatePosition` takes it, in their order. One that is refused harms no other.
        Location: All that one may ask of location, or hear from it: where customers were last, where merchants are, who is near. Latitudes and longitudes are signed millionths of a degree, within ±90 and ±180 degrees (001-86, A43).
        MessageType: The name of a message: `service.noun.verb.vN`. It is at once the CloudEvents `type`, the route of an ask (its first part names the service) and the topic of a fact. A change that breaks readers is a new version beside the old one.
        Notifications.AddEndpoint.Reply.secret: Of a web hook: what its messages are signed with (Standard Webhooks, `whsec_…`). Told here only.
        Notifications.AddEndpoint.address: The registration id, or an https URL; at most 1,000 bytes.
        Notifications.AddEndpoint.p256dh: A website's: the keys of its subscription (RFC 8291), base64url.
        Notifications.AddEndpoint.type: 1 Android, 2 iOS, 3 website, 4 web hook, for merchants only.
        Notifications.AddEndpoint: Registers where an account is to be told. Keyed on `endpoint`. A push registration that another account had is this one's from now on: whoever holds the phone now is not told of the other's money.
        Notifications.DeliveryState.dead: Given up: a dead letter.
        Notifications.DeliveryState.queued: Waits for its turn, or for another try.
        Notifications.DeliveryView.due: Of a queued one: when it is tried next.
        Notifications.DeliveryView.notice: Absent where it is of a fact that only a web hook is told of.
        Notifications.DeliveryView.number: Its place among all deliveries.
        Notifications.DeliveryView.reason: Why the last attempt failed.
        Notifications.DeliveryView.type: 1 Android, 2 iOS, 3 website, 4 web hook, 5 mail.
        Notifications.DeliveryView: One notice, or letter, on its way to one endpoint, or address.
        Notifications.DiscardDelivery.Reply.discarded: Whether there was one.
        Notifications.DiscardDelivery: Forgets a dead letter.
        Notifications.EndpointView.address: The registration id, or the URL.
        Notifications.EndpointView.type: 1 Android, 2 iOS, 3 website (A51), 4 a merchant's web hook.
        Notifications.EndpointView: A push registration or a web hook as its owner sees it.
        Notifications.Kind.closing: A requested charge ended without payment.
        Notifications.Kind.decision: The administrator decided on an offer or a merchant.
        Notifications.Kind.message: `SendNotification`.
        Notifications.Kind.offer: An ad or a coupon (001-13, 001-15).
        Notifications.Kind.payment: A requested charge was paid.
        Notifications.Kind.request: A merchant asks for money.
        Notifications.Kind: What a notice is about. Customers choose by it what they are pushed (A85).
        Notifications.MarkNotice: Marks a notice as read. The first time counts.
        Notifications.NoticeAdded: An account has a notice more.
        Notifications.NoticeDelivered.channel: 1 Android, 2 iOS, 3 website, 4 web hook, 5 mail.
        Notifications.NoticeDelivered: A receiver has taken a delivery.
        Notifications.NoticeFailed.channel: 1 Android, 2 iOS, 3 website, 4 web hook, 5 mail.
        Notifications.NoticeFailed: A delivery was given up; it is a dead letter now.
        Notifications.NoticeView.link: Where the app opens (001-15): a path such as `/deals/…` or `/charges/…`.
        Notifications.NoticeView.number: Its place in the inbox: numbers are given from 1 without a gap, and 1,000 notices are kept.
        Notifications.NoticeView.read: When it was marked as read; absent while it is not.
        Notifications.NoticeView: One message to one account, in its inbox.
        Notifications.QuietHours.from: Minutes after midnight, 0 to 1,439.
        Notifications.QuietHours.offset: Minutes that local time is ahead of UTC, −840 to 840.
        Notifications.QuietHours.until: Minutes after midnight, 0 to 1,439, another than `from`.
        Notifications.QuietHours: A time of each day without pushes: they come when it ends. It may go over midnight.
        Notifications.ReadDeadLetters.Reply.next: Ask for the next page with this as `before`; absent when there is none.
        Notifications.ReadDeadLetters.limit: 1 to 100.
        Notifications.ReadDeadLetters: Deliveries that were given up, newest first. For administrators and services, as the three that follow.
        Notifications.ReadDelivery.Reply.simulated: What the local simulator would have sent, as APNs or FCM would have had it (A51).
        Notifications.ReadDelivery: One delivery with what it says, in whatever state. What a letter says is for its reader only.
        Notifications.ReadEndpoints: An account's endpoints, in the order in which they were added.
        Notifications.ReadInbox.Reply.head: The newest notice's number; 0 before the first. A stream begun behind it lacks nothing.
        Notifications.ReadInbox.Reply.next: Ask for the next page with this as `before`, or as `after`; absent when there is none.
        Notifications.ReadInbox.Reply.unread: Not yet read, of all that are kept (001-36, A54).
        Notifications.ReadInbox.after: Not together with `before`.
        Notifications.ReadInbox.limit: 1 to 100.
        Notifications.ReadInbox.unread: Only those that are not read yet.
        Notifications.ReadInbox: An account's notices: newest first, or, with `after`, those behind that number, oldest first.
        Notifications.ReadPushKey.Reply.publicKey: 65 bytes, base64url.
        Notifications.ReadPushKey: The key that browsers subscribe with (RFC 8292, `applicationServerKey`).
        Notifications.RemoveEndpoint.Reply.removed: Whether there was one.
        Notifications.RemoveEndpoint: Removes an endpoint and what waits for it. Removing one that is not there is no error.
        Notifications.ReplayDelivery: Queues a dead letter again, under the key that its receiver knows it by. One that is queued again already stays so.
        Notifications.SendMail.expires: After this it is sent no more.
        Notifications.SendMail.subject: One line.
        Notifications.SendMail.to: One address, RFC 5321's Mailbox; at most 254 bytes.
        Notifications.SendMail: Sends one letter to one address, and to no inbox: what a person without a session has asked for, such as a code to set a new password (A42). Keyed on `notice`. For services.
        Notifications.SendNotification.Reply.result: `sent`, `queued` or `failed:<reason>` (A51).
        Notifications.SendNotification.message: 1 to 1000 bytes of UTF-8.
        Notifications.SendNotification.registrationId: What the push service calls the app's installation; of a website the URL of its subscription.
        Notifications.SendNotification.type: 1 Android, 2 iOS, 3 website (A51).
        Notifications.SendNotification: 001-77, `sendNotification(type, registrationId, message)`: one message to one registration, and to the inbox of the account that has it. Keyed on `notice`. For services and administrators.
        Notifications.SettingsView.enabled: False stops all pushes (A69).
        Notifications.SettingsView.muted: Kinds that are not pushed.
        Notifications.SettingsView: What an account is pushed (A69, A85). The inbox has everything, whatever they say; web hooks are not pushes.
        Notifications: All that one may ask of notifications, or hear from it: the inbox, and what leaves the house.
        Offers.Acceptance: A35.
        Offers.CountAudience.Reply.audience: Whom every rule lets have it.
        Offers.CountAudience.Reply.customers: All customers, and those of them who subscribe to this merchant's offers of this kind.
        Offers.CountAudience.Reply.excluded: Subscribers whom a rule keeps from it, by rule; one may be counted under several.
        Offers.CountAudience: How many customers an offer would reach as if it were accepted and its time had come: a dry run, for its merchant and for the administrator. Where customers are and what hour it is for them is left out.
        Offers.CouponRedeemed: The coupon was used: its charge is captured.
        Offers.Deal.distanceMetres: From the customer to there, rounded up to whole metres.
        Offers.Deal.expires: When it ends.
        Offers.Deal.latitude: Where it is about, in millionths of a degree.
        Offers.Deal.stars: How many stars at the merchant one use costs.
        Offers.Deal: An offer that a customer can use now.
        Offers.Deals.total: How many there are, shown or not.
        Offers.DecideOffer.accepted: `accepted` or `rejected`.
        Offers.DecideOffer.reason: Why it is rejected, for the merchant: at most 255 characters. Absent where it is accepted.
        Offers.DecideOffer: The administrator accepts or rejects what they saw. Keyed on `offer` and `revision`. What was accepted may still be rejected; what was rejected has to be edited first.
        Offers.Discount.percent: 1 to 99, of the charge's amount, rounded half up.
        Offers.Discount: A fixed amount or a part of the charge; exactly one of the two.
        Offers.EditOffer.revision: What was edited, so that a late repeat undoes nothing; whatever there is, where it is absent.
        Offers.EditOffer: Changes an offer, which is pending again; the same terms as before change nothing. A time that is absent stays as it is.
        Offers.EnableOffer: Enables or disables an offer; approval stays as it is.
        Offers.ExplainOffer.Reply.shown: Whether the customer is shown it now, and would be sent it now.
        Offers.ExplainOffer.latitude: As if the customer were there; the last known position, where both are absent.
        Offers.ExplainOffer: All rules for one customer and one offer, each with its values and verdict. For administrators.
        Offers.FindDeals.latitude: Where the customer is, in millionths of a degree; the last known position, where both are absent.
        Offers.FindDeals.limit: 1 to 100.
        Offers.FindDeals: The customer's coupons (001-78) or ads (A54), or both: nearest first, then those without a place, the ones that end soonest first.
        Offers.JoinRewards: Takes part in the stars, or no longer. Whoever leaves leaves the stars too.
        Offers.Occasion.entered: The customer came to a place of the merchant (001-3, 001-4).
        Offers.Occasion.pushed: The merchant pushed it to customers nearby (001-19).
        Offers.Occasion: Why a customer was sent an offer.
        Offers.OfferDecided.acceptance: `accepted` or `rejected`.
        Offers.OfferDecided.reason: Why it was rejected, for the merchant.
        Offers.OfferDecided: The administrator decided on an offer.
        Offers.OfferSent.expires: When the offer ends.
        Offers.OfferSent.place: The place that it was about.
        Offers.OfferSent: An offer was directed to a customer, whose rules and limits all allow it (001-4, 001-132 … 001-138). At most once an offer and customer.
        Offers.OfferSubmitted: A merchant submitted an offer, or an edit of it: the administrator has something to decide.
        Offers.OfferView.decided: Absent while it is pending.
        Offers.OfferView.reason: Why it was rejected.
        Offers.OfferView.revision: Counts edits, from 1: what the administrator saw is what is decided on.
        Offers.OfferView.terms: With `sendTime` and `expDate`, whoever chose them.
        Offers.OfferView: An offer as its merchant and the administrator see it.
        Offers.OffersPage.next: Where to ask on; absent when there is no more.
        Offers.Preferences.ads: Whether ads are wanted, and coupons.
        Offers.Preferences.enabled: False: nothing is sent at all (A69). What one asks for is still shown.
        Offers.Preferences.muted: Merchants of whom nothing is wanted, subscribed or not; at most 200.
        Offers.Preferences.perDay: At most so many are sent within 24 hours; 0 to 100.
        Offers.Preferences.quietFrom: Nothing is sent from the first to the second of these, in minutes of the customer's day, 0 to 1439; both or neither. From 1320 to 420 is from 22:00 to 07:00.
        Offers.Preferences.utcOffsetMinutes: How far the customer's clock is ahead of UTC, -840 to 840.
        Offers.Preferences: A customer's own limits (001-5, A85).
        Offers.PushOffer.Reply.nearby: Customers that were near.
        Offers.PushOffer.Reply.sent: Those of them who are sent it now.
        Offers.PushOffer.place: One of the merchant's own; all of them where it is absent.
        Offers.PushOffer: Sends a live offer to the customers near the merchant's places whom the rules allow it, each once (001-6, 001-19). Keyed on `push`.
        Offers.ReadDeal.Reply.sent: When it was sent.
        Offers.ReadDeal.Reply.usable: Whether the rules allow it now.
        Offers.ReadDeal.Reply.used: How often the customer has used it.
        Offers.ReadDeal: One deal (001-15, 001-23), if it is or was the customer's: it can be used now, was sent, or was used.
        Offers.ReadHistory.Reply.usable: With the first page only.
        Offers.ReadHistory.Reply.used: Newest first.
        Offers.ReadHistory.before: The `next` of the page before.
        Offers.ReadHistory.limit: 1 to 100, of each.
        Offers.ReadHistory: What the customer can use now and has used before (001-22, A47).
        Offers.ReadOffer: One offer, for its merchant and for the administrator; to nobody else does it exist.
        Offers.ReadOffers.accepted: Only those of which the administrator has said so: the merchant's apps show what is approved (001-19).
        Offers.ReadOffers.before: The `next` of the page before.
        Offers.ReadOffers.limit: 1 to 100.
        Offers.ReadOffers: A merchant's own offers, newest first.
        Offers.ReadPending.limit: 1 to 100.
        Offers.ReadPending: What waits for approval, newest first. For administrators.
        Offers.ReadProductTypes: The kinds of products that a merchant says it has (auth keeps them), each under an index of its own (001-117).
        Offers.ReadRewards: A customer's stars: one for each paid charge since the customer takes part, taken back by a refund in full (000-1, 000-10, 001-7).
        Offers.ReadSubscriptions.Reply.next: Ask on behind this merchant; absent when there is no more.
        Offers.ReadSubscriptions.limit: 1 to 100.
        Offers.ReadSubscriptions.merchants: Only those to these merchants, at most 100.
        Offers.ReadSubscriptions: A customer's subscriptions, in the order of the merchants' ids.
        Offers.ReserveCoupon.Reply.discount: What the customer does not pay; above zero and below the charge's amount.
        Offers.ReserveCoupon.amount: What the merchant asked for.
        Offers.ReserveCoupon.expires: When the charge ends by itself.
        Offers.ReserveCoupon: Reserves a coupon for one charge. Keyed on `charge` and `coupon`. For payments.
        Offers.RewardsView.merchants: Where they are from; most first, at most 100.
        Offers.RewardsView.stars: All that are not spent.
        Offers.Rule.age: 001-132.
        Offers.Rule.amount: The customer's own limit in 24 hours (001-5).
        Offers.Rule.approval: Accepted by the administrator, as it is now (001-138, A35).
        Offers.Rule.gender: 001-133.
        Offers.Rule.history: What the customer has paid at the merchant (001-4).
        Offers.Rule.merchant: Its merchant is approved (A36).
        Offers.Rule.participation: The customer is sent offers at all (A69).
        Offers.Rule.place: 001-136.
        Offers.Rule.quiet: Not in the customer's quiet hours (A85).
        Offers.Rule.sources: The customer has not muted the merchant (001-5).
        Offers.Rule.stars: The customer has the stars that it costs (A58).
        Offers.Rule.student: 001-134.
        Offers.Rule.subscription: 001-137.
        Offers.Rule.time: Not before `sendTime`, not after `expDate` (001-135).
        Offers.Rule.types: The customer wants this type, ads or coupons (001-5).
        Offers.Rule.uses: The coupon is not used up.
        Offers.Rule: What has to hold for a customer to get an offer. The last three are about sending; a customer who asks is shown offers without regard to them.
        Offers.SearchDeals.Reply.merchants: Merchants that the search is right for, subscribed or not; by name.
        Offers.SearchDeals.limit: 1 to 100, of deals and of merchants.
        Offers.SearchDeals.merchant: A part of the merchant's name or username, in capitals or not; 1 to 100 bytes.
        Offers.SearchDeals.product: A kind of product, the whole of it, in capitals or not; 1 to 50 bytes.
        Offers.SearchDeals: The same by merchant's name and by kind of product (001-48), and which merchants these are.
        Offers.SubmitOffer: Submits an ad or a coupon for approval (001-65, 001-66). Keyed on `offer`.
        Offers.Subscription: What a customer wants of a merchant (001-108, 001-109): nothing before they said so.
        Offers.Terms.content: 1 to 255 characters.
        Offers.Terms.discount: What a coupon takes off a charge. One without is shown and redeems nothing by itself.
        Offers.Terms.expDate: Nothing is sent or shown after; 30 days after `sendTime`, where it is absent.
        Offers.Terms.minAge: Whole years on the send date, 0 to 150, both inclusive (001-132).
        Offers.Terms.minVisits: Paid charges at the merchant, at least and at most: 0 at most is «not been here yet» (001-4).
        Offers.Terms.minimum: The least charge that the coupon can be used for.
        Offers.Terms.radiusMetres: 1 to 10,000 around the target; 200 where it is absent.
        Offers.Terms.sendOnEntry: Whether customers get it when they come to a place of the merchant.
        Offers.Terms.sendTime: Nothing is sent or shown before; when it was submitted, where it is absent.
        Offers.Terms.stars: How many stars at the merchant one use costs: the merchant's loyalty programme (001-7, A58).
        Offers.Terms.student: Whether it is for students only (001-134).
        Offers.Terms.targetLat: Millionths of a degree; both or neither. Where they are absent, customers get it wherever they are.
        Offers.Terms.title: 1 to 100 bytes of UTF-8.
        Offers.Terms.usesInAll: How often it may be used in all; without a limit, where it is absent.
        Offers.Terms.usesPerCustomer: How often one customer may use it; once, where it is absent.
        Offers.Terms.withinDays: The last of them at most so many days ago.
        Offers.Terms: What a merchant writes of an offer (001-65, 001-66, 001-118 … 001-128, A33): what it says, for whom, when and where. A bound that is absent restricts nobody.
        Offers.UsedDeal.index: Its place among all that were ever redeemed.
        Offers.UsedDeal: A coupon that was redeemed with a charge.
        Offers.Verdict.found: What there is. Of a position only whether it is near.
        Offers.Verdict.wanted: What the offer asks for, or the customer wants; `any` where nobody restricts it.
        Offers: All that one may ask of offers, or hear from it: ads, coupons, who gets them, and stars.
        Payments.ApproveCharge.amount: What the customer saw and agreed to, before any coupon.
        Payments.ApproveCharge.coupon: A coupon of the merchant's that the customer uses up with this payment. If the charge comes to nothing, the coupon is as unused as before.
        Payments.ApproveCharge: The customer pays a requested charge. Keyed on `charge`: approving twice pays once.
        Payments.CancelCharge: The merchant takes a requested charge back. Keyed on `charge`.
        Payments.ChargeCaptured.coupon: The coupon that was used up with it.
        Payments.ChargeCaptured.discount: What the coupon took off.
        Payments.ChargeCaptured.requested: True where the merchant had requested it and the customer approved; absent for a payment without approval.
        Payments.ChargeClosed.merchantName: As when the charge was requested. Absent in facts that are older than this field.
        Payments.ChargeClosed: A requested charge ended without payment: declined, cancelled or expired.
        Payments.ChargeRefunded.merchantName: As when the charge was requested. Absent where it was paid without a request, and in facts that are older than this field.
        Payments.ChargeRefunded.paid: What had been paid, and when: nobody has to remember each payment to know what a refund means. Absent where an earlier version told it.
        Payments.ChargeRequested.merchantName: What the customer knows the merchant by. Absent in facts that are older than this field.
        Payments.ChargeState.cancelled: Taken back by the merchant.
        Payments.ChargeState.declined: Refused by the customer.
        Payments.ChargeState.expired: Nobody answered in time (A55).
        Payments.ChargeState.requested: Waits for the customer.
        Payments.ChargeView.amount: What is to be paid. Of a charge paid with a coupon what was paid: `discount` less than was asked for.
        Payments.ChargeView.card: The card that paid.
        Payments.ChargeView.coupon: The coupon that it was paid with.
        Payments.ChargeView.expires: When a requested charge expires; absent once it is decided.
        Payments.ChargeView.presence: That the customer was at the merchant's place when the charge was requested, where that was asked for.
        Payments.ChargeView.refunded: What has been paid back.
        Payments.CreatePayment.card: The default card where none is named.
        Payments.CreatePayment.memo: At most 256 bytes of UTF-8.
        Payments.CreatePayment: The customer pays a merchant now, with a card. Keyed on `charge`.
        Payments.DeclineCharge: The customer refuses a requested charge. Keyed on `charge`.
        Payments.IssueCode.Reply.code: What the bar code holds.
        Payments.IssueCode.card: The card that will pay; the default one at that time where none is named.
        Payments.IssueCode: Makes a signed pay code that a merchant can redeem once, within a minute, for one payment.
        Payments.ReadCharge.party: Absent: an administrator asks, or somebody who acts for nobody.
        Payments.ReadCharge: One charge, for its customer or its merchant; nobody else learns that it exists. Operators need not be either.
        Payments.ReadCharges.Reply.next: Ask for the next page with this as `before`; absent when there is none. 0 stands for the newest.
        Payments.ReadCharges.limit: 1 to 100.
        Payments.ReadCharges.since: Only those that were decided, or requested while they wait, then or later. What is before is behind `next`, which then is there even if this page is empty.
        Payments.ReadCharges: A customer's or a merchant's charges, newest first: by when each was decided, or requested while it waits.
        Payments.ReadEnabled: Whether a customer may pay at all (000-12, A18). Enabled until the customer says otherwise.
        Payments.Receipt.amount: What was paid.
        Payments.Receipt.cardBalance: What was left on the card.
        Payments.Receipt.coupon: The coupon that was used.
        Payments.Receipt.discount: What the coupon took off: so much more was asked for than was paid.
        Payments.Receipt.entry: The ledger entry that moved the money.
        Payments.Receipt: What is handed out for a captured charge (000-19).
        Payments.RedeemCode: A merchant charges the customer who showed a pay code. Keyed on `attempt`; the code itself can be spent once.
        Payments.RefundCharge.Reply.refunded: What has been paid back of this charge in all.
        Payments.RefundCharge.amount: What is left of the charge where none is given.
        Payments.RefundCharge: The merchant pays a captured charge back, in full or in part. Keyed on `refund`.
        Payments.RequestCharge.place: The merchant's place where the customer is. Where it is named, the customer has to be there (001-3, 001-51).
        Payments.RequestCharge: A merchant asks a customer for money; the customer approves or declines. Keyed on `charge`.
        Payments.SetEnabled: Enables or disables all payments of a customer. Durable before it is answered; what was paid stays paid.
        Payments: All that one may ask of payments, or hear from it: the life of a charge from request to receipt.
        PrintedTable: The nine tables of document 001, by the names that are printed there (001-92). Each is a view over what its service keeps, with the printed columns in the printed order and no others (A30): for programs that were written against those tables. Keys that tell rows apart are in the services' own messages.
        RawJSON: One JSON value kept as it was written.
        ReadFacts.after: The sequence after which to begin; 0 for the first fact.
        ReadFacts.limit: At most so many facts, 1 to 1000. Fewer come where more would not fit into an envelope.
        ReadFacts: Reads what a source has told, in order: `<service>.facts.read.v1`. For subscribers that missed something. Facts come whole, as the envelopes that were published.
        ReadSpans.Reply.spans: Newest first.
        ReadSpans.id: Only those of this trace, correlation id or message; of all that there are where it is absent.
        ReadSpans.limit: At most so many, the newest, 1 to 100.
        ReadSpans.refused: Whether only what was refused is wanted: that is remembered for longer.
        ReadSpans: What a process remembers of what it has answered lately: `<service>.spans.read.v1`. Every service answers it; with an `actor`, administrators only. It is memory, of a bounded size and gone with the process: what lasts of a trace are the facts it led to.
        ReadStats: A process's own figures: `<service>.stats.read.v1`. Every service answers it; the gateway gathers them.
        ReadTable.after: How many rows to pass over: 0 for the first page, then the page's `next`.
        ReadTable.limit: 1 to 100.
        ReadTable.table: One of the service's own; another is `bus.malformed`.
        ReadTable: Reads one of the printed tables from the service that keeps its rows: `<service>.table.read.v1`. For administrators and services.
        Recorded.replayed: Whether this is the answer to an earlier ask with the same key, given again.
        Recorded.sequence: The fact's place in its source's sequence; a reader that has come so far has seen it.
        Recorded: The recorded outcome of a keyed ask: the fact that it led to.
        Release: Which Billfold this is.
        RetryAdvice.later: Nothing has happened; the same ask may succeed later.
        RetryAdvice.never: The same ask will be refused again.
        RetryAdvice.sameKey : The outcome is unknown; ask again with the same key.
        RetryAdvice: What the asker should do about a refusal.
        RetryClass.idempotent : Asking again is harmless.
        RetryClass.keyed : The ask carries a key; asked again with the same key it has no second effect and gets the first outcome.
        RetryClass.once : Each ask counts; asking again is a new act. Never resent.
        RetryClass: What may be done when the outcome of an ask is unknown.
        ServiceKey.file: The file's name beside the service's data.
        ServiceKey.setting: The setting that names another file.
        ServiceKey: Where a service looks for its key.
        ServiceOrder: The one order of services: asks go down, facts come up. A service asks only those before it. What it needs of those behind it, it learns from their facts. Its `ServiceDefinition` names those that it asks, and the bus refuses any other ask.
        ServiceStats.Sample.count: A histogram's count, and its cumulative counts by upper bound.
        ServiceStats.Sample.kind: `counter`, `gauge`, or `histogram`. Whatever is named `…_seconds` or `…_seconds_total` is in microseconds.
        ServiceStats.Sample.value: A counter's or gauge's value; a histogram's sum.
        ServiceStats.Sample: One figure, as Prometheus names it.
        ServiceStats.instance: Sixteen hex digits, random at each start: answers with the same ones are one process's.
        ServiceStats.version: Of the program that runs.
        ServiceStats: What a process says of itself.
        Span.fault: The refusal's code.
        Span.id: The ask's own; of an HTTP request, its `X-Correlation-Id`.
        Span.microseconds: Until the answer was given away.
        Span.name: The ask's type; of an HTTP request, method and path.
        Span.parent: The message that led to it.
        Span.startMicroseconds: Since 1970, when it was taken.
        Span.status: Of an HTTP request.
        Span: One ask that was answered, or one HTTP request. The ids are those of the envelopes. In the place of one that is not 32 hex digits, as foreign peers may choose, stands a digest of it: the same text always gives the same one.
        TablePage.next: Ask on with this as `after`; absent at the end.
        TablePage: Rows of a printed table, each an object with the printed columns. Numbers are JSON numbers, `decimal` and times are text (`1.50`, `2026-11-21 09:30:00` in UTC), NULL is `null`.
        Wallet.AddCard.code: 8 digits (000-88). Checked for its form and not kept.
        Wallet.AddCard.number: 16 digits (000-87).
        Wallet.AddCard: Registers a card with its opening balance ($16.50, 000-95) and makes it the customer's default (000-94). Keyed on `card`.
        Wallet.Anchor.chain: `chain` of `wallet.ledger.read.v1` at that time, 64 hex digits.
        Wallet.Anchor.sequence: The fact's sequence.
        Wallet.Anchor: A ledger's head as it was written down elsewhere: the row of that fact still has this hash, or the ledger was changed.
        Wallet.CaptureHold.amount: The whole hold where none is given.
        Wallet.CaptureHold: Pays from a hold, in full or in part; what is not captured is released. Keyed on `operation`.
        Wallet.CardView.available: What of it can be spent: the balance less what is held.
        Wallet.CardView.balance: What is on the card.
        Wallet.ChooseCard: Chooses the card that pays when an ask names none.
        Wallet.ClosePayment: Ends a payment without moving money: nothing can be posted under its id any more. Keyed on `payment`. Whichever of this and `PostPayment` commits first decides the charge.
        Wallet.CloseReason.cancelled: By the merchant.
        Wallet.CloseReason.declined: By the customer.
        Wallet.CloseReason.expired: By the clock.
        Wallet.EntryView.amount: Positive when the money came in, negative when it went out.
        Wallet.EntryView.balance: The account's balance after it.
        Wallet.EntryView: An entry as its account's holder sees it.
        Wallet.HoldCaptured.released: What was held and not captured.
        Wallet.HoldExpired: A hold's time ran out and its money is free again.
        Wallet.HoldPlaced.available: What of the card can still be spent.
        Wallet.Holder: Whose money: a merchant's account, or a customer's card (the default one where none is named).
        Wallet.OpenAccount: Opens a merchant's account. Idempotent: an open one stays as it is.
        Wallet.OperationDeclined.ask: The type of the ask.
        Wallet.OperationDeclined: A keyed ask was refused for good: the same key will get the same refusal.
        Wallet.PaymentPosted.cardBalance: What is left on the card.
        Wallet.PaymentPosted.coupon: The coupon that it used up.
        Wallet.PaymentPosted.entry: The ledger entry that moved it.
        Wallet.PaymentPosted: Money went from a card to a merchant, under a charge's id.
        Wallet.PlaceHold.expires: When the hold is released by itself.
        Wallet.PlaceHold: Sets money aside on a card for a merchant. Keyed on `hold`.
        Wallet.PostPayment.attempt: The single-use pay code's owner may be asked to pay once only: a second use under another key differs here.
        Wallet.PostPayment.card: The default card where none is named.
        Wallet.PostPayment.coupon: The coupon that this payment uses up: captured with the money, in one commit.
        Wallet.PostPayment.memo: What the customer reads on the receipt; at most 512 bytes.
        Wallet.PostPayment: Pays a merchant from a card: authorize and capture in one commit. Keyed on `payment`, the charge's id.
        Wallet.PostRefund.amount: What is left of the payment where none is given.
        Wallet.PostRefund: Pays back a payment, in full or in part, to the card that paid. Keyed on `operation`.
        Wallet.PostTransfer: Moves money between two users' accounts, free of charge (001-2, A40). Keyed on `operation`.
        Wallet.ReadCard: One card's balance; the default card's where none is named.
        Wallet.ReadCards: All cards of a customer, in the order in which they were added.
        Wallet.ReadEntries.Reply.next: Ask for the next page with this as `before`; absent when there is none.
        Wallet.ReadEntries.before: Only entries older than this one.
        Wallet.ReadEntries.limit: 1 to 100.
        Wallet.ReadEntries: The entries of a card or of a merchant's account, newest first.
        Wallet.ReadLedger.Reply.chain: The hash of the newest fact's row, 64 hex digits: it covers all facts and entries. Absent before the first fact.
        Wallet.ReadLedger.Reply.head: The newest entry's hash, 64 hex digits.
        Wallet.ReadLedger.Reply.sequence: The newest fact's sequence.
        Wallet.ReadLedger.Reply.total: The sum over all accounts: zero.
        Wallet.ReadLedger.Sum.kind: `card`, `merchant`, `funding` or `issuing`.
        Wallet.ReadLedger: The sums over all accounts, for whoever wants to see that they cancel out.
        Wallet.RefundPosted.refunded: What of the payment has now been paid back in all.
        Wallet.ReloadCard: Moves money from the funding source to a card. Keyed on `operation`.
        Wallet.TransferPosted.balance: What is left on the account that paid.
        Wallet.VerifyLedger.Reply.checked: So many entries.
        Wallet.VerifyLedger.Reply.next: Where the next stretch begins, below 0 behind the entries; absent when the whole ledger has been checked.
        Wallet.VerifyLedger.Reply.problems: What is wrong, one sentence each; empty when all is well. At most 20.
        Wallet.VerifyLedger.after: Begin behind this entry, 0 for the first, or where `next` says.
        Wallet.VerifyLedger.anchor: A head to compare with in the last stretch, beside those that the wallet knows.
        Wallet.VerifyLedger.limit: At most so many rows, 1 to 10,000: the wallet writes nothing meanwhile.
        Wallet.VerifyLedger: Checks a stretch of the ledger: first the entries, then the journal, accounts, holds and refunds, and with the last stretch their sums and the anchors. Hash chains, balances, times, and each table against the journal.
        Wallet.VoidHold: Releases a hold. Keyed on `operation`.
        Wallet: All that one may ask the wallet, or hear from it. Money moves nowhere else.
        WriteBackup.directory: Absolute path of a directory that exists, as the service sees it. The copy goes into one of the service's own in it, made for this user only.
        WriteBackup.keys: Absolute path of another directory, for a copy of the keys without which the data says little. Absent: no keys.
        WriteBackup: Copies a service's data while it is in use: `<service>.backup.write.v1`. For operators on the bus; nobody may ask it for somebody. The copy is of one moment and a whole file: what was answered before the ask is in it. Nothing is ever written over.
        """#
}
