import Primitives
import Wire

extension Auth {
    package struct AdministratorView: WireMessage, Equatable {
        package let account: PartyID
        package let username: String
        package let registered: Timestamp

        package init(account: PartyID, username: String, registered: Timestamp) {
            self.account = account
            self.username = username
            self.registered = registered
        }
    }

    /// Administrators in the order of their ids, in pages. For services only: the operator's command is one.
    package struct ReadAdministrators: Ask, Equatable {
        package static let type: MessageType = "auth.administrators.read.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = []

        package struct Reply: WireMessage, Equatable {
            package let administrators: [AdministratorView]
            /// The `after` of the next page; absent on the last.
            package let next: PartyID?

            package init(administrators: [AdministratorView], next: PartyID?) {
                self.administrators = administrators
                self.next = next
            }
        }

        package let after: PartyID?
        /// 1 to 100.
        package let limit: Int

        package init(after: PartyID?, limit: Int) {
            self.after = after
            self.limit = limit
        }
    }

    /// Sets an administrator's password and ends all of the account's sessions. For services only.
    package struct RenewAdministrator: Ask, Equatable {
        package static let type: MessageType = "auth.administrator.renew.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = [.partyNotFound, .passwordInvalid, .busy]

        package struct Reply: WireMessage, Equatable {
            package let account: PartyID
            /// The sessions that this ended.
            package let closed: [SessionID]

            package init(account: PartyID, closed: [SessionID]) {
                self.account = account
                self.closed = closed
            }
        }

        package let username: String
        /// 8 to 128 bytes of UTF-8.
        package let newPassword: String

        package init(username: String, newPassword: String) {
            self.username = username
            self.newPassword = newPassword
        }
    }

    /// Removes an administrator's account with its sessions; the username is free again. For services only.
    package struct RemoveAdministrator: Ask, Equatable {
        package static let type: MessageType = "auth.administrator.remove.v1"
        package static let retry = RetryClass.once
        package static let faults: [FaultCode] = [.partyNotFound, .lastAdministrator]

        package struct Reply: WireMessage, Equatable {
            package let account: PartyID
            /// The sessions that this ended.
            package let closed: [SessionID]

            package init(account: PartyID, closed: [SessionID]) {
                self.account = account
                self.closed = closed
            }
        }

        package let username: String
        /// Whether the only administrator may be removed too.
        package let evenLast: Bool?

        package init(username: String, evenLast: Bool? = nil) {
            self.username = username
            self.evenLast = evenLast
        }
    }
}
