import Contracts
import Primitives

/// Turns secrets into hashes and checks them, without holding up whoever asks.
///
/// - Faults of its functions: `auth.busy` when too many wait, `bus.deadline_exceeded` when its turn came too late,
///   `bus.unavailable` when hashing itself failed. In each case nothing was learnt about the secret.
package protocol SecretHashing: Sendable {
    /// A hash of nothing that anyone knows: checked in place of an account that does not exist, for the same time.
    var decoy: String { get }

    /// Refuses with `auth.busy` what would find no place now. A hint: the place is not kept.
    func admit(_ kind: Secret.Kind) throws(Fault)

    func hash(_ secret: Secret, of owner: PartyID, before deadline: Timestamp) async throws(Fault) -> String

    func verify(
        _ secret: Secret, of owner: PartyID, against hash: String, before deadline: Timestamp
    ) async throws(Fault) -> Bool

    /// Whether a hash was made at another cost than today's.
    func needsRehash(_ hash: String) -> Bool
}
