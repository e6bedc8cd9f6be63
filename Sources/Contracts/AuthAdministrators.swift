import Primitives
import Wire

extension Auth {
    package struct AdministratorView: WireMessage, Equatable {
        package let account: PartyID
        package let username: String
        package let registered: Timestamp
    }

    /// Administrators in the order of their ids, in pages. For services only: the operator's command is one.
    package struct ReadAdministrators: Ask, Equatable {
        package static let type: MessageType = "auth.administrators.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .services
        package static let limits: [Limit<Self>] = [.number(\.limit, 1...100, example: 10)]
        package static let faults: [FaultCode] = []
        package static var examples: Examples<Self> {
            Examples(
                Auth.ReadAdministrators(after: Samples.friend, limit: 20),
                bare: Auth.ReadAdministrators(after: nil, limit: 100),
                reply: Auth.ReadAdministrators.Reply(
                    administrators: [.init(account: Samples.customer, username: "root", registered: Samples.time)],
                    next: Samples.customer),
                bareReply: Auth.ReadAdministrators.Reply(administrators: [], next: nil))
        }

        package struct Reply: WireMessage, Equatable {
            package let administrators: [AdministratorView]
            /// The `after` of the next page; absent on the last.
            package let next: PartyID?
        }

        package let after: PartyID?
        /// 1 to 100.
        package let limit: Int
    }

    /// Sets an administrator's password and ends all of the account's sessions. For services only.
    package struct RenewAdministrator: Ask, Equatable {
        package static let type: MessageType = "auth.administrator.renew.v1"
        package static let effect: Effect<Self> = .idempotent
        package static let access: Access<Self> = .services
        package static let limits: [Limit<Self>] = [
            .example(\.username, .text("ada")),
            .text(\.newPassword, 8...128, or: .passwordInvalid, example: "correct horse battery staple")
        ]
        package static let faults: [FaultCode] = [.partyNotFound, .passwordInvalid, .busy]
        package static var examples: Examples<Self> {
            Examples(
                Auth.RenewAdministrator(username: "root", newPassword: "wrong donkey"),
                reply: Auth.RenewAdministrator.Reply(account: Samples.customer, closed: [Samples.session]))
        }

        package struct Reply: WireMessage, Equatable {
            package let account: PartyID
            /// The sessions that this ended.
            package let closed: [SessionID]
        }

        package let username: String
        /// 8 to 128 bytes of UTF-8.
        package let newPassword: String
    }

    /// Removes an administrator's account with its sessions; the username is free again. For services only.
    package struct RemoveAdministrator: Ask, Equatable {
        package static let type: MessageType = "auth.administrator.remove.v1"
        package static let effect: Effect<Self> = .once
        package static let access: Access<Self> = .services
        package static let limits: [Limit<Self>] = [.example(\.username, .text("ada"))]
        package static let faults: [FaultCode] = [.partyNotFound, .lastAdministrator]
        package static var examples: Examples<Self> {
            Examples(
                Auth.RemoveAdministrator(username: "root", evenLast: true),
                bare: Auth.RemoveAdministrator(username: "root"),
                reply: Auth.RemoveAdministrator.Reply(account: Samples.customer, closed: [Samples.session]))
        }

        package struct Reply: WireMessage, Equatable {
            package let account: PartyID
            /// The sessions that this ended.
            package let closed: [SessionID]
        }

        package let username: String
        /// Whether the only administrator may be removed too.
        package let evenLast: Bool?
    }
}
