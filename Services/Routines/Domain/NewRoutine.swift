import Contracts
import Primitives
import Sodium
import Wire

/// A routine that has passed its rules.
package struct NewRoutine: Sendable, Equatable {
    package let id: Routines.RoutineID
    package let account: PartyID
    package let name: Routines.Label
    package let tag: Tag
    package let quiet: Bool
    package let actions: [Routines.Action]
    package let fingerprint: [UInt8]

    /// - Throws: `routines.name_missing`, `routines.label_invalid`, `routines.tag_invalid`.
    package init(_ ask: Routines.CreateRoutine) throws(Fault) {
        id = ask.routine
        account = ask.account
        name = try ask.name.checked()
        tag = try Tag(ask.tag)
        quiet = ask.quiet ?? false
        var actions: [Routines.Action] = []
        for action in ask.actions {
            actions.append(
                .init(name: try action.name.checked(), minutes: action.minutes, priority: action.priority))
        }
        self.actions = actions
        fingerprint = ask.fingerprint
    }
}

extension WireMessage {
    /// What tells other content under the same key.
    package var fingerprint: [UInt8] { Digest.blake2b(json, length: 16) }
}
