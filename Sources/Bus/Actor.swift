import Contracts
import Glibc
import Primitives
import Wire

/// On whose behalf an ask is made. An envelope without one is of a service that acts for itself.
package struct Actor: Hashable, Sendable {
    package let role: Auth.Role
    package let party: PartyID

    package init(role: Auth.Role, party: PartyID) {
        self.role = role
        self.party = party
    }

    /// `customer:0192…`
    package var text: String { "\(role.rawValue):\(party.hex)" }

    package init?(_ text: String) {
        var text = text
        guard let actor = text.withUTF8({ Actor(utf8: $0) }) else { return nil }
        self = actor
    }

    init?(utf8 text: UnsafeBufferPointer<UInt8>) {
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")),
            let role = Auth.Role(rawValue: String(decoding: text[..<colon], as: UTF8.self)),
            let party = PartyID(hex: UnsafeBufferPointer(rebasing: text[(colon + 1)...]))
        else { return nil }
        self.init(role: role, party: party)
    }

    func write(to writer: inout JSONWriter) {
        var role = role.rawValue
        role.withUTF8 { role in
            writer.plainString(countMax: role.count + 33) { room in
                if let start = role.baseAddress { memcpy(room, start, role.count) }
                room[role.count] = UInt8(ascii: ":")
                party.writeHex(to: room + role.count + 1)
                return role.count + 33
            }
        }
    }
}
