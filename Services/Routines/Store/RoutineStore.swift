import Bus
import Contracts
import Primitives
import Storage

/// What routines keeps. Each function is one transaction, durable when it returns. Extensions have images, days and
/// reminders.
package struct RoutineStore: Sendable {
    package let store: Store

    /// - Throws: as `Store.init`.
    package init(_ place: StorePlace) throws { store = try Store(place, migrations: RoutineMigrations.all) }

    /// A store that ends with the process: for tests.
    package init() throws { store = try Store(forTests: RoutineMigrations.all) }

    // MARK: Routines

    /// Adds a routine, unless its id has one already. Fact: `routines.routine.created.v1`, for a new one.
    ///
    /// - Throws: `routines.id_reused`, also for a routine that was deleted; `routines.name_taken`,
    ///   `routines.too_many_routines`, `routines.image_not_found`.
    package func create(
        _ routine: CheckedRoutine, at now: Timestamp, because context: AskContext
    ) async throws(Fault) -> Routines.CreateRoutine.Reply {
        try await store.write { transaction in
            if let known = try Self.known("routines", routine.id, routine.account, routine.fingerprint, in: transaction)
            {
                guard let view = try Self.routine(known, in: transaction) else { throw Fault(.routinesIDReused) }
                return .init(routine: view, replayed: true)
            }
            try Self.requireNameAndImages(of: routine, in: transaction)
            let count: Int? = try transaction.value(
                "SELECT count(*) FROM routines WHERE account = ? AND gone IS NULL", routine.account)
            guard count ?? 0 < Routines.routinesMax else { throw Fault(.tooManyRoutines) }
            let number: Int64? = try transaction.value(
                """
                INSERT INTO routines (id, account, place, name, text, emoji, images, tag, quiet, fingerprint, created)
                VALUES (?1, ?2, (SELECT coalesce(max(place), 0) + 1 FROM routines WHERE account = ?2), ?3, ?4, ?5, ?6, ?7,
                    ?8, ?9, ?10) RETURNING number
                """, routine.id, routine.account, routine.name.key, routine.name.text, routine.name.emoji,
                routine.name.stored, routine.tag.text, routine.quiet, routine.fingerprint, now)
            guard let number else { throw StoreFailure.damaged("a routine without a number") }
            try Self.insert(routine.actions, of: number, into: transaction)
            try transaction.publish(
                Routines.RoutineCreated(routine: routine.id, account: routine.account, time: now), at: now,
                because: context)
            guard let view = try Self.routine(number, in: transaction) else {
                throw StoreFailure.damaged("a routine that was just kept")
            }
            return .init(routine: view, replayed: false)
        }
    }

    /// Writes a routine anew; its id, its number and its fingerprint stay. Fact: `routines.routine.changed.v1`, unless
    /// it is as it was.
    ///
    /// - Throws: `routines.routine_not_found`, `routines.name_taken`, `routines.image_not_found`.
    package func change(
        _ routine: CheckedRoutine, at now: Timestamp, because context: AskContext
    ) async throws(Fault) -> Routines.RoutineView {
        try await store.write { transaction in
            let number: Int64? = try transaction.value(
                "SELECT number FROM routines WHERE id = ? AND account = ? AND gone IS NULL", routine.id,
                routine.account)
            guard let number, let before = try Self.routine(number, in: transaction) else {
                throw Fault(.routineNotFound)
            }
            try Self.requireNameAndImages(of: routine, in: transaction)
            try transaction.run(
                "UPDATE routines SET name = ?, text = ?, emoji = ?, images = ?, tag = ?, quiet = ? WHERE number = ?",
                routine.name.key, routine.name.text, routine.name.emoji, routine.name.stored, routine.tag.text,
                routine.quiet, number)
            try transaction.run("DELETE FROM actions WHERE routine = ?", number)
            try Self.insert(routine.actions, of: number, into: transaction)
            guard let view = try Self.routine(number, in: transaction) else {
                throw StoreFailure.damaged("a routine that was just kept")
            }
            if view != before {
                try transaction.publish(
                    Routines.RoutineChanged(routine: routine.id, account: routine.account, time: now), at: now,
                    because: context)
            }
            return view
        }
    }

    private static func insert(
        _ actions: [Routines.Action], of routine: Int64, into transaction: Transaction
    ) throws {
        for (index, action) in actions.enumerated() {
            try transaction.run(
                """
                INSERT INTO actions (routine, number, text, emoji, images, minutes, priority)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """, routine, index + 1, action.name.text, action.name.emoji, action.name.stored, action.minutes,
                action.priority.rawValue)
        }
    }

    /// - Throws: `routines.name_taken` where another routine of the account has the name; `routines.image_not_found`.
    private static func requireNameAndImages(of routine: CheckedRoutine, in transaction: Transaction) throws {
        let taken: Bool? = try transaction.value(
            "SELECT 1 FROM routines WHERE account = ? AND name = ? AND id <> ? AND gone IS NULL", routine.account,
            routine.name.key, routine.id)
        guard taken == nil else { throw Fault(.routineNameTaken) }
        try requireImages(of: routine.account, in: [routine.name] + routine.actions.map(\.name), transaction)
    }

    /// The account's routines, the newest first: as many as fit into one envelope.
    package func routines(_ ask: Routines.ReadRoutines) async throws(Fault) -> Routines.ReadRoutines.Reply {
        try await store.read { transaction in
            let numbers: [Int64] = try transaction.values(
                """
                SELECT number FROM routines WHERE account = ? AND place < ? AND gone IS NULL
                ORDER BY place DESC LIMIT ?
                """, ask.account, ask.before ?? .max, ask.limit + 1)
            var found: [Routines.RoutineView] = []
            var bytes = 0
            for number in numbers.prefix(ask.limit) {
                guard let routine = try Self.routine(number, in: transaction) else { continue }
                bytes += routine.json.count + 1
                if bytes > FactsPage.bytesMax, !found.isEmpty { break }
                found.append(routine)
            }
            return .init(routines: found, next: found.count < numbers.count ? found.last?.number : nil)
        }
    }

    /// All of the account's routines by id.
    package func routinesByID(
        of account: PartyID
    ) async throws(Fault) -> [Routines.RoutineID: Routines.RoutineView] {
        try await store.read { try Self.routinesByID(of: account, in: $0) }
    }

    static func routinesByID(
        of account: PartyID, in transaction: Transaction
    ) throws -> [Routines.RoutineID: Routines.RoutineView] {
        let numbers: [Int64] = try transaction.values(
            "SELECT number FROM routines WHERE account = ? AND gone IS NULL", account)
        var found: [Routines.RoutineID: Routines.RoutineView] = [:]
        for number in numbers {
            guard let routine = try routine(number, in: transaction) else { continue }
            found[routine.routine] = routine
        }
        return found
    }

    package func delete(_ ask: Routines.DeleteRoutine, at now: Timestamp) async throws(Fault) -> Bool {
        try await store.write { transaction in
            let number: Int64? = try transaction.value(
                "SELECT number FROM routines WHERE id = ? AND account = ? AND gone IS NULL", ask.routine, ask.account)
            guard let number else { return false }
            // Keeps the row, so that its id makes no other routine, and nothing of what it said.
            try transaction.run("DELETE FROM actions WHERE routine = ?", number)
            try transaction.run(
                """
                UPDATE routines SET gone = ?, name = '', text = NULL, emoji = NULL, images = NULL, tag = ''
                WHERE number = ?
                """, now, number)
            return true
        }
    }

    // MARK: The profile

    package func colour(of account: PartyID) async throws(Fault) -> Routines.Colour {
        try await store.read { transaction in
            try transaction.first("SELECT colour FROM profiles WHERE account = ?", account) { try $0.choice(0) }
                ?? .green
        }
    }

    package func set(_ colour: Routines.Colour, of account: PartyID) async throws(Fault) {
        try await store.write {
            try $0.run(
                """
                INSERT INTO profiles (account, colour) VALUES (?, ?)
                ON CONFLICT (account) DO UPDATE SET colour = excluded.colour
                """, account, colour.rawValue)
        }
    }

    // MARK: What several of them need

    /// The number of the row that has this id, if its content is the same; nil if there is none.
    ///
    /// - Throws: `routines.id_reused`.
    static func known<Subject>(
        _ table: String, _ id: Identifier<Subject>, _ account: PartyID, _ fingerprint: [UInt8],
        in transaction: Transaction
    ) throws -> Int64? {
        try transaction.first("SELECT number, account, fingerprint FROM \(table) WHERE id = ?", id) { row in
            guard try row[1] == account, try row[2] == fingerprint else { throw Fault(.routinesIDReused) }
            return try row[0]
        }
    }

    /// - Throws: `routines.image_not_found` for an image that the account does not have.
    static func requireImages(
        of account: PartyID, in labels: [Routines.Label], _ transaction: Transaction
    ) throws {
        for image in Set(labels.flatMap(\.ownImages)) {
            let exists: Bool? = try transaction.value(
                "SELECT 1 FROM images WHERE id = ? AND account = ? AND gone IS NULL", image, account)
            guard exists == true else { throw Fault(.routineImageNotFound) }
        }
    }

    /// Nil for one that was deleted.
    private static func routine(_ number: Int64, in transaction: Transaction) throws -> Routines.RoutineView? {
        let actions = try transaction.all(
            "SELECT text, emoji, images, minutes, priority FROM actions WHERE routine = ? ORDER BY number", number
        ) { row in
            Routines.Action(
                name: try Routines.Label(row, from: 0), minutes: try row[3], priority: try row.choice(4))
        }
        return try transaction.first(
            "SELECT text, emoji, images, id, tag, quiet, place FROM routines WHERE number = ? AND gone IS NULL", number
        ) { row in
            Routines.RoutineView(
                routine: try row[3], number: try row[6], name: try Routines.Label(row, from: 0), tag: try row[4],
                quiet: try row[5], priority: .highest(of: actions.map(\.priority)),
                minutes: actions.reduce(0) { $0 + $1.minutes }, actions: actions)
        }
    }
}

extension Routines.Label {
    /// The images as one text.
    var stored: String? { images?.joined(separator: " ") }

    /// From three columns: text, emoji, images.
    init(_ row: Row, from column: Int) throws(StoreFailure) {
        let images: String? = try row[column + 2]
        self.init(
            text: try row[column], emoji: try row[column + 1],
            images: images.map { $0.split(separator: " ").map(String.init) })
    }
}
