import Wire

/// Begins a hand-over of a service's state: `<service>.state.follow.v1`. For a program that is to take the service's
/// place; nobody may ask it for somebody.
///
/// From now on the service notes which rows change. There is one hand-over at a time: it ends when another one begins,
/// when its tables are not read for ten minutes, and with the process. Facts are not part of it: `facts.read` has them.
package struct FollowState<Service: StateOwner>: Ask, Equatable {
    package static var type: MessageType { MessageType("\(Service.service).state.follow.v1") }
    package static var effect: Effect<Self> { .once }
    package static var access: Access<Self> { .services }
    package static var faults: [FaultCode] { [] }
    package static var examples: Examples<Self> {
        Examples(
            Self(),
            reply: FollowedState(
                copy: 7_311_902_554,
                tables: [
                    StateTable(
                        name: "cursors",
                        columns: [
                            StateColumn(name: "source", kind: "text", isKey: true),
                            StateColumn(name: "sequence", kind: "integer", isKey: false),
                            StateColumn(name: "mark", kind: "bytes", isKey: false)
                        ])
                ]))
    }
    package typealias Reply = FollowedState
}

/// A hand-over that has begun.
package struct FollowedState: WireMessage, Equatable {
    /// Names the hand-over in each `state.read`.
    package let copy: Int64
    /// All tables but the log of facts. Each is read by itself.
    package let tables: [StateTable]
}

/// One table of a service's state.
package struct StateTable: Codable, Sendable, Equatable {
    package let name: String
    package let columns: [StateColumn]
}

/// One column of a table.
package struct StateColumn: Codable, Sendable, Equatable {
    package let name: String
    /// `integer` (64 bits; times are milliseconds since 1970), `text`, or `bytes`: hex digits, or, of more than 64
    /// bytes, `{"base64":"…"}` with the URL-safe alphabet.
    package let kind: String
    /// Whether it is part of the key that tells rows apart.
    package let isKey: Bool
}

/// Reads one table of a hand-over: `<service>.state.read.v1`. First all of its rows, then the rows that have changed
/// since, again and again.
///
/// A page may be read twice. Whoever applies each page, removals first, has the table as it is once `isEnd` comes while
/// the service's queue is paused.
/// - Faults: `bus.malformed` for a hand-over that has ended, and for a table or place that there is not;
///   `bus.too_large` for a row that fits into no envelope.
package struct ReadState<Service: StateOwner>: Ask, Equatable {
    package static var type: MessageType { MessageType("\(Service.service).state.read.v1") }
    package static var effect: Effect<Self> { .reads }
    package static var access: Access<Self> { .services }
    package static var limits: [Limit<Self>] {
        [
            .number(\.copy, 0...Int64.max, example: 7_311_902_554),
            .text(\.table, 1...100, or: .malformed, example: "cursors"),
            .text(\.after, 1...2000, or: .malformed),
            .number(\.limit, 1...1000, example: 10)
        ]
    }
    package static var faults: [FaultCode] { [] }
    package static var examples: Examples<Self> {
        Examples(
            Self(copy: 7_311_902_554, table: "cursors", after: "changes:12", limit: 1000),
            bare: Self(copy: 7_311_902_554, table: "cursors", limit: 1),
            reply: StatePage(
                rows: [RawJSON(Array(#"{"source":"wallet","sequence":1009,"mark":"9f2c61d0a7b3e845"}"#.utf8))],
                removed: [RawJSON(Array(#"{"source":"offers"}"#.utf8))], next: "changes:14", isEnd: true),
            bareReply: StatePage(rows: [], removed: [], next: "changes:0", isEnd: false))
    }
    package typealias Reply = StatePage

    /// The hand-over, as `state.follow` named it.
    package let copy: Int64
    /// One of the tables that it named.
    package let table: String
    /// The `next` of the page before; absent for the first one.
    package let after: String?
    /// At most so many rows, 1 to 1000. Fewer come where more would not fit into an envelope.
    package let limit: Int
}

/// Rows of a table, each an object with all of its columns, and keys of rows that are gone.
package struct StatePage: FastCoded, Equatable {
    /// Each takes the place of the row with the same key.
    package let rows: [RawJSON]
    /// Objects with the key's columns.
    package let removed: [RawJSON]
    /// Ask on with this as `after`, also after the end: then for what has changed since.
    package let next: String
    /// Whether nothing more is to be read at present.
    package let isEnd: Bool
}

/// Ends the changes of a service's state for the end of a hand-over: `<service>.state.seal.v1`. Asked for while the
/// service's queue is paused.
///
/// For 5 s the service writes nothing, not even what it does by itself, and refuses what would have to be written. Then
/// it goes on, if it still runs.
/// - Faults: `bus.malformed` for a hand-over that has ended.
package struct SealState<Service: StateOwner>: Ask, Equatable {
    package static var type: MessageType { MessageType("\(Service.service).state.seal.v1") }
    package static var effect: Effect<Self> { .idempotent }
    package static var access: Access<Self> { .services }
    package static var limits: [Limit<Self>] { [.number(\.copy, 0...Int64.max, example: 7_311_902_554)] }
    package static var faults: [FaultCode] { [] }
    package static var examples: Examples<Self> {
        Examples(
            Self(copy: 7_311_902_554, isSealed: true),
            reply: SealedState(tables: [SealedTable(name: "cursors", rows: 2, last: 20)], facts: 42),
            bareReply: SealedState(tables: [SealedTable(name: "cursors", rows: 2)], facts: 0))
    }
    package typealias Reply = SealedState

    /// The hand-over, as `state.follow` named it.
    package let copy: Int64
    /// False takes the seal off at once: the hand-over has failed.
    package let isSealed: Bool
}

/// What a state that changes no more consists of.
package struct SealedState: WireMessage, Equatable {
    /// The tables that are on the disk.
    package let tables: [SealedTable]
    /// The number of the newest fact.
    package let facts: Int64
}

package struct SealedTable: Codable, Sendable, Equatable {
    package let name: String
    package let rows: Int64
    /// The greatest number that was ever given to a row, of a table that gives none twice.
    package let last: Int64?
}

/// Brings a program on that takes a service's state over: `<service>.takeover.advance.v1`, answered under the name
/// `next.<service>` and only until it serves. `billfold swap` asks it.
///
/// - Faults: `bus.unavailable` where the state cannot be taken, with the reason.
package struct AdvanceTakeOver<Service: StateOwner>: Ask, Equatable {
    package static var type: MessageType { MessageType("\(Service.service).takeover.advance.v1") }
    package static var effect: Effect<Self> { .idempotent }
    package static var access: Access<Self> { .services }
    package static var faults: [FaultCode] { [] }
    package static var examples: Examples<Self> {
        Examples(Self(to: .complete), reply: TakeOver(phase: .complete, rows: 4711, facts: 42))
    }
    package typealias Reply = TakeOver

    /// What it is to reach: `following` only says how far it is.
    package let to: TakeOverPhase
}

/// How far a program is that takes a service's state over.
package struct TakeOver: WireMessage, Equatable {
    package let phase: TakeOverPhase
    /// Rows read so far, changed ones again.
    package let rows: Int64
    /// The number of the last fact that it has.
    package let facts: Int64
}

package enum TakeOverPhase: String, Codable, Sendable, CaseIterable {
    /// It reads the tables for the first time.
    case copying
    /// It has read everything once, and reads what changes.
    case following
    /// It has read to the end, while the service's queue was paused, and reads no more.
    case complete
    /// It takes the service's asks.
    case serving
}
