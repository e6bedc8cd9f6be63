import Bus
import Contracts
import Primitives
import Storage

extension RoutineStore {
    /// Keeps a day, unless its id has one already. Fact: `routines.day.confirmed.v1`, for a new one.
    ///
    /// - Parameters:
    ///   - replaces: whether the schedule that the date has makes place for it.
    ///   - make: the day, from the account's routines and the schedule of the date that is copied.
    /// - Throws: `routines.id_reused`; `routines.day_not_found` for a day that was deleted or replaced;
    ///   `routines.day_exists`; `routines.too_many_days`; and what `make` throws.
    package func keep(
        _ id: Routines.DayID, of account: PartyID, on date: CivilDate, replaces: Bool, fingerprint: [UInt8],
        copying from: CivilDate? = nil, at now: Timestamp, because context: AskContext,
        make: @escaping @Sendable (DayMaterial) throws(Fault) -> Day
    ) async throws(Fault) -> (day: Day, replayed: Bool) {
        try await store.write { transaction in
            if let known = try Self.known("days", id, account, fingerprint, in: transaction) {
                guard let day = try Self.day(known, in: transaction) else { throw Fault(.dayNotFound) }
                return (day, true)
            }
            let day = try make(
                DayMaterial(
                    routines: try Self.routinesByID(of: account, in: transaction),
                    images: Set(
                        try transaction.values("SELECT id FROM images WHERE account = ? AND gone IS NULL", account)),
                    copied: try from.flatMap { try Self.day(of: account, on: $0, in: transaction) }))
            if let before = try Self.number(of: account, on: date, in: transaction) {
                guard replaces else { throw Fault(.dayExists) }
                try Self.erase(before, at: now, in: transaction)
            }
            let ahead: Int? = try transaction.value(
                "SELECT count(*) FROM days WHERE account = ? AND gone IS NULL AND date >= ?", account,
                "\(CivilDate(of: now))")
            guard ahead ?? 0 < Routines.daysAheadMax else { throw Fault(.tooManyDays) }
            try Self.insert(day, fingerprint: fingerprint, at: now, into: transaction)
            try transaction.publish(
                Routines.DayConfirmed(
                    day: id, account: account, date: date, entries: Int64(day.entries.count), time: now), at: now,
                because: context)
            return (day, false)
        }
    }

    package func day(of account: PartyID, on date: CivilDate) async throws(Fault) -> Day? {
        try await store.read { try Self.day(of: account, on: date, in: $0) }
    }

    package func days(_ ask: Routines.ReadDays) async throws(Fault) -> Routines.ReadDays.Reply {
        try await store.read { transaction in
            let found = try transaction.all(
                """
                SELECT id, date, (SELECT count(*) FROM entries WHERE day = days.number),
                    (SELECT count(*) FROM day_actions WHERE day = days.number),
                    (SELECT count(*) FROM day_actions WHERE day = days.number AND done IS NOT NULL)
                FROM days WHERE account = ? AND gone IS NULL AND date < ? ORDER BY date DESC LIMIT ?
                """, ask.account, ask.before.map { "\($0)" } ?? ":", ask.limit + 1
            ) { row in
                Routines.DaySummary(
                    day: try row[0], date: try Self.date(row, 1), entries: try row[2], actions: try row[3],
                    done: try row[4])
            }
            return .init(
                days: Array(found.prefix(ask.limit)), next: found.count > ask.limit ? found[ask.limit - 1].date : nil)
        }
    }

    /// Marks an action as done or open. Fact: `routines.action.done.v1`, where it was open before.
    ///
    /// - Parameter time: when it was tapped.
    /// - Throws: `routines.day_not_found`, `routines.action_not_found`, `routines.action_over`.
    package func mark(
        _ ask: Routines.MarkAction, tapped time: Timestamp, at now: Timestamp, because context: AskContext
    ) async throws(Fault) -> Day {
        try await store.write { transaction in
            let number = try Self.number(ask.day, of: ask.account, in: transaction)
            guard let entry = try Self.day(number, in: transaction)?.entries.first(where: { $0.number == ask.entry }),
                let action = entry.actions.first(where: { $0.number == ask.action })
            else { throw Fault(.dayActionNotFound) }
            if (action.done != nil) != ask.done {
                if ask.done, entry.state(of: action, at: time) == .skipped { throw Fault(.dayActionOver) }
                try transaction.run(
                    "UPDATE day_actions SET done = ? WHERE day = ? AND entry = ? AND number = ?",
                    ask.done ? time : nil as Timestamp?, number, ask.entry, ask.action)
                if ask.done {
                    try transaction.publish(
                        Routines.ActionDone(
                            day: ask.day, account: ask.account, entry: ask.entry, action: ask.action, time: time),
                        at: now, because: context)
                }
            }
            guard let day = try Self.day(number, in: transaction) else { throw Fault(.dayNotFound) }
            return day
        }
    }

    /// - Throws: `routines.day_not_found`; `routines.day_empty` for the last one.
    package func remove(_ ask: Routines.RemoveEntry) async throws(Fault) -> Day {
        try await store.write { transaction in
            let number = try Self.number(ask.day, of: ask.account, in: transaction)
            guard var day = try Self.day(number, in: transaction) else { throw Fault(.dayNotFound) }
            guard let index = day.entries.firstIndex(where: { $0.number == ask.entry }) else { return day }
            guard day.entries.count > 1 else { throw Fault(.dayEmpty) }
            try transaction.run("DELETE FROM day_actions WHERE day = ? AND entry = ?", number, ask.entry)
            try transaction.run("DELETE FROM entries WHERE day = ? AND number = ?", number, ask.entry)
            day.entries.remove(at: index)
            return day
        }
    }

    package func delete(_ ask: Routines.DeleteDay, at now: Timestamp) async throws(Fault) -> Bool {
        try await store.write { transaction in
            let number: Int64? = try transaction.value(
                "SELECT number FROM days WHERE id = ? AND account = ? AND gone IS NULL", ask.day, ask.account)
            guard let number else { return false }
            try Self.erase(number, at: now, in: transaction)
            return true
        }
    }

    // MARK: Rows

    private static func number(
        _ day: Routines.DayID, of account: PartyID, in transaction: Transaction
    ) throws -> Int64 {
        let number: Int64? = try transaction.value(
            "SELECT number FROM days WHERE id = ? AND account = ? AND gone IS NULL", day, account)
        guard let number else { throw Fault(.dayNotFound) }
        return number
    }

    private static func number(
        of account: PartyID, on date: CivilDate, in transaction: Transaction
    ) throws -> Int64? {
        try transaction.value(
            "SELECT number FROM days WHERE account = ? AND date = ? AND gone IS NULL", account, "\(date)")
    }

    private static func day(of account: PartyID, on date: CivilDate, in transaction: Transaction) throws -> Day? {
        try number(of: account, on: date, in: transaction).flatMap { try day($0, in: transaction) }
    }

    /// Keeps the row, and nothing of what it said.
    private static func erase(_ number: Int64, at now: Timestamp, in transaction: Transaction) throws {
        try transaction.run("DELETE FROM day_actions WHERE day = ?", number)
        try transaction.run("DELETE FROM entries WHERE day = ?", number)
        try transaction.run("UPDATE days SET gone = ? WHERE number = ?", now, number)
    }

    private static func insert(
        _ day: Day, fingerprint: [UInt8], at now: Timestamp, into transaction: Transaction
    ) throws {
        let number: Int64? = try transaction.value(
            """
            INSERT INTO days (id, account, date, zone, language, fingerprint, created) VALUES (?, ?, ?, ?, ?, ?, ?)
            RETURNING number
            """, day.id, day.account, "\(day.date)", day.zone, day.language?.rawValue, fingerprint, now)
        guard let number else { throw StoreFailure.damaged("a day without a number") }
        for entry in day.entries {
            // What began before the day was confirmed needs no reminder: it is on the screen.
            try transaction.run(
                """
                INSERT INTO entries (day, number, routine, text, emoji, images, tag, quiet, start, minutes, begins, ends,
                    until, reminded)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """, number, entry.number, entry.routine, entry.name.text, entry.name.emoji, entry.name.stored,
                entry.tag, entry.quiet, entry.start, entry.minutes, entry.begins, entry.ends, entry.until,
                entry.begins <= now)
            for action in entry.actions {
                try transaction.run(
                    """
                    INSERT INTO day_actions (day, entry, number, text, emoji, images, minutes, priority, done)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """, number, entry.number, action.number, action.name.text, action.name.emoji, action.name.stored,
                    action.minutes, action.priority.rawValue, action.done)
            }
        }
    }

    /// Nil for one that was deleted or replaced.
    static func day(_ number: Int64, in transaction: Transaction) throws -> Day? {
        var actions: [Int64: [Day.Action]] = [:]
        try transaction.each(
            """
            SELECT text, emoji, images, entry, number, minutes, priority, done FROM day_actions WHERE day = ?
            ORDER BY entry, number
            """, number
        ) { row in
            actions[try row[3], default: []].append(
                Day.Action(
                    number: try row[4], name: try Routines.Label(row, from: 0), minutes: try row[5],
                    priority: try row.choice(6), done: try row[7]))
            return true
        }
        let entries = try transaction.all(
            """
            SELECT text, emoji, images, number, routine, tag, quiet, start, minutes, begins, ends, until FROM entries
            WHERE day = ? ORDER BY start
            """, number
        ) { row in
            let entry: Int64 = try row[3]
            return Day.Entry(
                number: entry, routine: try row[4], name: try Routines.Label(row, from: 0), tag: try row[5],
                quiet: try row[6], start: try row[7], minutes: try row[8], begins: try row[9], ends: try row[10],
                until: try row[11], actions: actions[entry] ?? [])
        }
        return try transaction.first(
            "SELECT id, account, date, zone, language FROM days WHERE number = ? AND gone IS NULL", number
        ) { row in
            let language: String? = try row[4]
            return Day(
                id: try row[0], account: try row[1], date: try date(row, 2), zone: try row[3], entries: entries,
                language: language.flatMap(Language.init))
        }
    }

    private static func date(_ row: Row, _ column: Int) throws -> CivilDate {
        guard let date = CivilDate(try row[column] as String) else { throw row.damage(column) }
        return date
    }
}

/// What a day may be made of.
package struct DayMaterial: Sendable {
    package let routines: [Routines.RoutineID: Routines.RoutineView]
    /// The account's own.
    package let images: Set<Routines.ImageID>
    /// The schedule of the date that is copied.
    package let copied: Day?
}
