import Contracts
import Primitives

extension Day {
    /// What is published when an entry begins; nil if all of it is done by then.
    ///
    /// A reminder that comes after the entry's end quiets no ads.
    package func reminder(of number: Int64, at now: Timestamp) -> Routines.ReminderDue? {
        guard let entry = entries.first(where: { $0.number == number }),
            entry.actions.contains(where: { $0.done == nil })
        else { return nil }
        return Routines.ReminderDue(
            day: id, account: account, entry: number, name: entry.name.spoken(in: language ?? .en),
            clock: DayClock.text(ofMinute: entry.start),
            due: entry.begins, lateMinutes: max(0, (now - entry.begins).wholeMilliseconds / 60_000),
            quietUntil: entry.quiet && entry.ends > now ? entry.ends : nil, time: now,
            language: language)
    }
}
