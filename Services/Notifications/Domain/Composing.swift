import Bus
import Contracts
import Primitives
import Wire

extension ConsumedEvent {
    /// The notices that the event leads to. Reminders are in the language in which their day was confirmed. The other
    /// texts are English; a client in another language uses kind and link.
    ///
    /// - Parameter names: of the accounts that `accountToName` asks for, as far as they are known.
    package func notices(names: [PartyID: String]) -> [Draft] {
        func merchant(_ id: PartyID, named name: String?) -> String { name ?? names[id] ?? "A merchant" }
        switch event {
        case .requested(let charge):
            return [
                draft(
                    charge.customer, .request,
                    "\(merchant(charge.merchant, named: charge.merchantName)) asks for \(charge.amount.display)",
                    Self.sentences(charge.memo, "Nothing is paid until you approve it."), Self.link(charge.charge),
                    charge.time, from: charge.merchant, until: charge.expires)
            ]
        case .captured(let charge):
            guard charge.requested == true else { return [] }
            return [
                draft(
                    charge.merchant, .payment, "\(charge.amount.display) was paid", charge.memo,
                    Self.link(charge.charge), charge.time)
            ]
        case .closed(let charge): return closed(charge, merchant(charge.merchant, named: charge.merchantName))
        case .refunded(let refund):
            let link = Self.link(refund.charge)
            return [
                draft(
                    refund.merchant, .refund, "\(refund.amount.display) was refunded",
                    "The money went from your account to the customer’s card.", link, refund.time),
                draft(
                    refund.customer, .refund,
                    "\(merchant(refund.merchant, named: refund.merchantName)) refunded \(refund.amount.display)",
                    "The money is on your card again.", link, refund.time, from: refund.merchant)
            ]
        case .transferReceived(let transfer):
            return [
                draft(
                    transfer.to, .transfer,
                    "\(names[transfer.from] ?? "A user") sent you \(transfer.amount.display)", transfer.memo,
                    "/activities", transfer.time, from: transfer.from)
            ]
        case .sent(let offer):
            return [
                draft(
                    offer.customer, .offer, "\(offer.merchantName): \(offer.title)", offer.content,
                    Self.link(offer.offer), offer.time, from: offer.merchant, until: offer.expires)
            ]
        case .offerDecided(let offer):
            return [
                draft(
                    offer.merchant, .decision,
                    "Your \(offer.kind.rawValue) “\(offer.title)” was \(offer.acceptance.rawValue)",
                    offer.reason ?? "", Self.link(offer.offer), offer.time)
            ]
        case .quietHoursMoved: return []
        case .merchantDecided(let decided):
            return [
                draft(
                    decided.merchant, .decision, "Your account was \(decided.status.rawValue)", decided.reason ?? "",
                    nil, decided.time)
            ]
        case .credentialChanged(let changed):
            let (title, wayBack) = Self.text(of: changed.credential)
            return [
                draft(
                    changed.account, .message, title,
                    "This happened at \(changed.time.rfc3339). No money was moved. If it was not you: \(wayBack)", nil,
                    changed.time)
            ]
        case .reminderDue(let reminder): return [self.reminder(reminder)]
        case .orderPaid(let order):
            return [
                draft(
                    order.merchant, .order,
                    "Order \(order.number) of \(order.customerName ?? "a customer"): \(order.total.display), paid",
                    order.summary, Self.link(order.order), order.time, from: order.customer)
            ]
        case .orderFinished(let order):
            return [
                draft(
                    order.customer, .order, "\(order.merchantName): order \(order.number) is ready",
                    "Say the number to get it.", Self.link(order.order), order.time, from: order.merchant)
            ]
        }
    }

    /// After that a push of a reminder would say of something long past that it begins.
    private static let reminderPushedWithin = Duration.seconds(3600)

    /// Without a link: the app opens at the day.
    private func reminder(_ reminder: Routines.ReminderDue) -> Draft {
        let words = ReminderWords(language: reminder.language ?? .en)
        let name = reminder.name.text ?? reminder.name.emoji ?? words.nameless
        let (title, text) =
            reminder.lateMinutes > 0
            ? (words.late(name), words.was(due: reminder.clock, late: reminder.lateMinutes))
            : (words.now(name), words.begins(reminder.clock))
        return draft(
            reminder.account, .reminder, title, text, nil, reminder.time,
            until: reminder.time + Self.reminderPushedWithin)
    }

    private static func text(of credential: Auth.Credential) -> (title: String, wayBack: String) {
        let reset = "reset the password with “Forgot username or password”. That ends all sessions."
        switch credential {
        case .address:
            return (
                "Your e-mail address was changed",
                "use the code that was mailed to the old address. It restores the old address and ends all sessions. "
                    + "Transfers to other people may be held for a while."
            )
        case .restoredAddress: return ("Your old e-mail address was restored, and your password changed", reset)
        case .password: return ("Your password was changed", reset)
        case .resetPassword: return ("Your password was reset with a mailed code", reset)
        case .pin: return ("Your PIN was changed", reset)
        }
    }

    /// The merchant's notice of a request that cannot be pushed. The request waits in the customer's inbox.
    package func notNotified(because reason: Unpushed) -> Draft? {
        guard case .requested(let charge) = event else { return nil }
        return draft(
            charge.merchant, .request, "The customer was not notified: \(reason.rawValue)",
            "\(reason.explanation) The request for \(charge.amount.display) waits in the customer’s inbox.",
            Self.link(charge.charge), charge.time)
    }

    /// The request that this ends: what is still to be pushed of it is not pushed any more.
    package var endedRequest: (customer: PartyID, link: String)? {
        switch event {
        case .captured(let charge): (charge.customer, Self.link(charge.charge))
        case .closed(let charge): (charge.customer, Self.link(charge.charge))
        default: nil
        }
    }

    /// Notifies the party that did not act, and both of a charge that expired.
    private func closed(_ charge: Payments.ChargeClosed, _ merchantName: String) -> [Draft] {
        let (amount, link) = (charge.amount.display, Self.link(charge.charge))
        let toMerchant = draft(
            charge.merchant, .closing,
            "The request for \(amount) \(charge.reason == .declined ? "was declined" : "has expired")",
            "Nothing was paid. You can send a new request.", link, charge.time)
        let toCustomer = draft(
            charge.customer, .closing,
            charge.reason == .cancelled
                ? "\(merchantName) took back the request for \(amount)"
                : "\(merchantName)’s request for \(amount) has expired", "Nothing was paid.", link, charge.time,
            from: charge.merchant)
        switch charge.reason {
        case .declined: return [toMerchant]
        case .cancelled: return [toCustomer]
        case .expired: return [toMerchant, toCustomer]
        }
    }

    /// What the merchant's web hook is sent; nil for an event that web hooks do not get.
    package var hookMessage: HookMessage? {
        switch event {
        case .captured(let charge):
            var members: [JSONValue.Member] = [
                .init("charge", .string(charge.charge.hex)), .init("customer", .string(charge.customer.hex)),
                .init("amount", charge.amount.tree), .init("memo", .string(charge.memo)),
                .init("entry", .integer(charge.entry)), .init("time", .string(charge.time.rfc3339))
            ]
            // The card stays private to the customer.
            if let coupon = charge.coupon { members.append(.init("coupon", .string(coupon.hex))) }
            if let discount = charge.discount { members.append(.init("discount", discount.tree)) }
            return message(to: charge.merchant, members, charge.time)
        case .closed(let charge):
            return message(
                to: charge.merchant,
                [
                    .init("charge", .string(charge.charge.hex)), .init("customer", .string(charge.customer.hex)),
                    .init("amount", charge.amount.tree), .init("reason", .string(charge.reason.rawValue)),
                    .init("time", .string(charge.time.rfc3339))
                ], charge.time)
        case .refunded(let refund):
            return message(
                to: refund.merchant,
                [
                    .init("charge", .string(refund.charge.hex)), .init("customer", .string(refund.customer.hex)),
                    .init("amount", refund.amount.tree), .init("refunded", refund.refunded.tree),
                    .init("time", .string(refund.time.rfc3339))
                ], refund.time)
        case .requested, .transferReceived, .sent, .offerDecided, .merchantDecided, .credentialChanged, .reminderDue,
            .orderPaid, .orderFinished, .quietHoursMoved:
            return nil
        }
    }

    private func message(to merchant: PartyID, _ members: [JSONValue.Member], _ time: Timestamp) -> HookMessage {
        HookMessage(
            id: NoticeID(source: fact.source, sequence: fact.sequence ?? 0, for: merchant), merchant: merchant,
            type: fact.type, data: JSONValue.object(members).text, time: time)
    }

    private func draft(
        _ account: PartyID, _ kind: Notifications.Kind, _ title: String, _ text: String, _ link: String?,
        _ time: Timestamp, from sender: PartyID? = nil, until expires: Timestamp? = nil
    ) -> Draft {
        Draft(
            id: NoticeID(source: fact.source, sequence: fact.sequence ?? 0, for: account), account: account,
            kind: kind, title: Self.cut(title, to: Draft.titleBytesMax), text: Self.cut(text, to: Draft.textBytesMax),
            link: link, time: time, sender: sender, expires: expires)
    }

    /// The memo, where there is one, and a sentence.
    private static func sentences(_ memo: String, _ sentence: String) -> String {
        memo.isEmpty ? sentence : "\(memo)\n\(sentence)"
    }

    /// Cuts a text at a character, to at most so many bytes.
    private static func cut(_ text: String, to bytesMax: Int) -> String {
        guard text.utf8.count > bytesMax else { return text }
        var bytes = 0
        return String(
            text.prefix { character in
                bytes += character.utf8.count
                return bytes <= bytesMax
            })
    }

    private static func link(_ charge: ChargeID) -> String { "/charges/\(charge.hex)" }
    /// The app opens this deal.
    private static func link(_ offer: OfferID) -> String { "/deals/\(offer.hex)" }
    private static func link(_ order: Ordering.OrderID) -> String { "/orders/\(order.hex)" }
}

extension Money {
    fileprivate var tree: JSONValue { ["amount": .integer(amount), "currency": .string(currency.code)] }
}
