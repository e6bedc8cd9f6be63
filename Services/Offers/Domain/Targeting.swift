import Contracts
import Primitives

/// The rules of who gets which offer, each a pure function. Lists, sending, the explanation and the count before
/// approval all use them, so that they always agree.
package enum Targeting {
    /// The rules for what a customer is shown. The cheapest come first, the distance last.
    package static let shown: [Offers.Rule] = [
        .approval, .enabled, .merchant, .time, .subscription, .types, .sources, .gender, .student, .age, .history,
        .uses,
        .stars, .place
    ]
    /// The rules for what is sent unasked.
    package static let sent: [Offers.Rule] = [.participation, .amount] + shown
    /// The rules for using a coupon on a charge. The place does not matter.
    package static let redeemed: [Offers.Rule] = shown.filter { ![.place, .types, .sources].contains($0) }
    /// The rules that can be evaluated before approval, without a time or place.
    package static let audience: [Offers.Rule] = [
        .merchant, .types, .sources, .participation, .gender, .student, .age, .history, .uses, .stars
    ]

    @inline(__always)
    package static func allows(
        _ rules: [Offers.Rule], _ target: Target, _ subject: Subject, _ moment: Moment
    ) -> Bool {
        for rule in rules where !passes(rule, target, subject, moment) { return false }
        return true
    }

    package static func passes(
        _ rule: Offers.Rule, _ target: Target, _ subject: Subject, _ moment: Moment
    ) -> Bool {
        switch rule {
        case .approval: return target.accepted == .accepted
        case .enabled: return target.enabled
        case .merchant: return subject.merchantIsApproved
        case .time: return target.sendTime <= moment.now && moment.now <= target.expires
        case .age:
            if target.minAge == nil, target.maxAge == nil { return true }
            guard let age = age(target, subject) else { return false }
            return age >= Int(target.minAge ?? .min) && age <= Int(target.maxAge ?? .max)
        case .gender: return target.gender == nil || subject.profile.gender == target.gender
        case .student: return !target.student || subject.profile.student == true
        case .subscription:
            return target.kind == .ad ? subject.subscription.ads : subject.subscription.coupons
        case .types: return target.kind == .ad ? subject.wants.ads : subject.wants.coupons
        case .sources: return !subject.isMuted
        case .history:
            let history = subject.history
            if let least = target.minVisits, history.visits < least { return false }
            if let most = target.maxVisits, history.visits > most { return false }
            guard let days = target.withinDays else { return true }
            guard let last = history.last else { return false }
            return moment.now.milliseconds - last.milliseconds <= Int64(days) * 86_400_000
        case .uses:
            return subject.uses < Int(target.usesPerCustomer ?? .max)
                && subject.usesInAll < Int(target.usesInAll ?? .max)
        case .stars: return target.stars <= subject.history.starsLeft
        case .place:
            guard let area = target.area else { return true }
            guard let position = moment.position else { return false }
            return isWithin(area, position)
        case .participation: return subject.wants.enabled
        case .amount: return moment.sentLately < subject.wants.perDay
        // Quiet hours put off what is sent; notifications has them.
        case .quiet: return true
        }
    }

    /// The age in whole years on the send date, in UTC.
    private static func age(_ target: Target, _ subject: Subject) -> Int? {
        subject.profile.birthdate?.wholeYears(until: CivilDate(of: target.sendTime))
    }

    /// d ≤ r.
    @inline(__always)
    private static func isWithin(_ area: Target.Area, _ position: Coordinate) -> Bool {
        // Most are too far north or south, which needs no cosine.
        let north = Double(abs(Int64(area.point.latitude) - Int64(position.latitude))) * FlatEarth.metresPerMillionth
        return north <= area.radiusMetres && area.point.metres(to: position) <= area.radiusMetres
    }

    // MARK: In words

    /// Every rule with its verdict and the values that it compared.
    package static func verdicts(_ target: Target, _ subject: Subject, _ moment: Moment) -> [Offers.Verdict] {
        Offers.Rule.allCases.filter { $0 != .quiet }.map { rule in
            let (wanted, found) = words(rule, target, subject, moment)
            return Offers.Verdict(
                rule: rule, wanted: wanted, found: found, passes: passes(rule, target, subject, moment))
        }
    }

    private static func words(
        _ rule: Offers.Rule, _ target: Target, _ subject: Subject, _ moment: Moment
    ) -> (wanted: String, found: String) {
        switch rule {
        case .approval: return ("accepted", target.accepted.rawValue)
        case .enabled: return ("yes", yesOrNo(target.enabled))
        case .merchant: return ("approved", subject.merchantIsApproved ? "approved" : "not approved")
        case .time: return ("\(target.sendTime.rfc3339) to \(target.expires.rfc3339)", moment.now.rfc3339)
        case .age:
            return (range(target.minAge, target.maxAge), age(target, subject).map { "\($0)" } ?? "unknown")
        case .gender:
            return (target.gender?.rawValue ?? "any", subject.profile.gender?.rawValue ?? "unknown")
        case .student: return (target.student ? "yes" : "any", subject.profile.student.map(yesOrNo) ?? "unknown")
        case .subscription:
            return (
                target.kind == .ad ? "ads" : "coupons",
                [subject.subscription.ads ? "ads" : nil, subject.subscription.coupons ? "coupons" : nil]
                    .compactMap(\.self).joined(separator: ", ").orElse("none")
            )
        case .types:
            return (
                [subject.wants.ads ? "ads" : nil, subject.wants.coupons ? "coupons" : nil]
                    .compactMap(\.self).joined(separator: ", ").orElse("none"), target.kind == .ad ? "ads" : "coupons"
            )
        case .sources: return ("not muted", subject.isMuted ? "muted" : "not muted")
        case .history:
            let last = subject.history.last.map { last in
                ", the last \((moment.now.milliseconds - last.milliseconds) / 86_400_000) days ago"
            }
            let wanted = range(target.minVisits, target.maxVisits)
            return (
                (wanted == "any" ? wanted : wanted + " visits")
                    + (target.withinDays.map { ", the last within \($0) days" } ?? ""),
                "\(subject.history.visits) visits" + (last ?? "")
            )
        case .uses:
            let limits = [
                target.usesPerCustomer.map { "\($0) each" }, target.usesInAll.map { "\($0) in all" }
            ].compactMap(\.self).joined(separator: ", ")
            return (limits.orElse("any"), "\(subject.uses) by the customer, \(subject.usesInAll) in all")
        case .stars: return (target.stars == 0 ? "any" : "\(target.stars)", "\(subject.history.starsLeft)")
        case .place:
            guard let area = target.area else { return ("any", moment.position == nil ? "unknown" : "known") }
            let isNear = moment.position.map { isWithin(area, $0) ? "within" : "farther" }
            return ("within \(Int(area.radiusMetres)) m", isNear ?? "unknown")
        case .participation: return ("yes", yesOrNo(subject.wants.enabled))
        case .amount: return ("below \(subject.wants.perDay) in 24 hours", "\(moment.sentLately)")
        case .quiet: return ("any", "any")
        }
    }

    private static func yesOrNo(_ value: Bool) -> String { value ? "yes" : "no" }

    private static func range(_ least: Int32?, _ most: Int32?) -> String {
        switch (least, most) {
        case (nil, nil): "any"
        case (let least?, nil): "\(least) or more"
        case (nil, let most?): "up to \(most)"
        case (let least?, let most?): "\(least) to \(most)"
        }
    }
}

extension String {
    fileprivate func orElse(_ other: String) -> String { isEmpty ? other : self }
}
