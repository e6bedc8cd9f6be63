import Contracts
import Primitives
import Sodium
import Wire

/// A routine that has passed its rules.
package struct CheckedRoutine: Sendable, Equatable {
    package let id: Routines.RoutineID
    package let account: PartyID
    package let name: Routines.Label
    package let tag: Tag
    package let quiet: Bool
    package let actions: [Routines.Action]
    package let fingerprint: [UInt8]

    /// - Throws: `routines.name_missing`, `routines.label_invalid`, `routines.tag_invalid`.
    package init(_ ask: Routines.CreateRoutine) throws(Fault) {
        try self.init(
            ask.routine, of: ask.account, name: ask.name, tag: ask.tag, quiet: ask.quiet, actions: ask.actions,
            fingerprint: ask.fingerprint)
    }

    /// - Throws: the same.
    package init(_ ask: Routines.ChangeRoutine) throws(Fault) {
        try self.init(
            ask.routine, of: ask.account, name: ask.name, tag: ask.tag, quiet: ask.quiet, actions: ask.actions,
            fingerprint: ask.fingerprint)
    }

    private init(
        _ id: Routines.RoutineID, of account: PartyID, name: Routines.Label, tag: String, quiet: Bool?,
        actions: [Routines.Action], fingerprint: [UInt8]
    ) throws(Fault) {
        self.id = id
        self.account = account
        self.name = try name.checked()
        self.tag = try Tag(tag)
        self.quiet = quiet ?? false
        self.actions = try actions.map { action throws(Fault) in
            .init(name: try action.name.checked(), minutes: action.minutes, priority: action.priority)
        }
        self.fingerprint = fingerprint
    }
}

extension WireMessage {
    /// What tells other content under the same key.
    package var fingerprint: [UInt8] { Digest.blake2b(json, length: 16) }
}
