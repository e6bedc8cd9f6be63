// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Primitives
import Wire

extension Auth.AdministratorView: Shape {
    package init(
        account: PartyID,
        username: String,
        registered: Timestamp,
        _: Void = ()
    ) {
        self.account = account
        self.username = username
        self.registered = registered
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("account", \.account),
            Field("username", \.username),
            Field("registered", \.registered),
        ]
    }
}

extension Auth.ReadAdministrators {
    package init(
        after: PartyID? = nil,
        limit: Int,
        _: Void = ()
    ) {
        self.after = after
        self.limit = limit
    }

    package static var summary: String { "Administrators in the order of their ids, in pages. For services only: the operator's command is one." }
    package static var fields: [Field<Self>] {
        [
            Field("after", \.after),
            Field("limit", \.limit, "1 to 100."),
        ]
    }
}

extension Auth.ReadAdministrators.Reply: Shape {
    package init(
        administrators: [Auth.AdministratorView],
        next: PartyID? = nil,
        _: Void = ()
    ) {
        self.administrators = administrators
        self.next = next
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("administrators", \.administrators),
            Field("next", \.next, "The `after` of the next page; absent on the last."),
        ]
    }
}

extension Auth.RenewAdministrator {
    package init(
        username: String,
        newPassword: String,
        _: Void = ()
    ) {
        self.username = username
        self.newPassword = newPassword
    }

    package static var summary: String { "Sets an administrator's password and ends all of the account's sessions. For services only." }
    package static var fields: [Field<Self>] {
        [
            Field("username", \.username),
            Field("newPassword", \.newPassword, "8 to 128 bytes of UTF-8."),
        ]
    }
}

extension Auth.RenewAdministrator.Reply: Shape {
    package init(
        account: PartyID,
        closed: [SessionID],
        _: Void = ()
    ) {
        self.account = account
        self.closed = closed
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("account", \.account),
            Field("closed", \.closed, "The sessions that this ended."),
        ]
    }
}

extension Auth.RemoveAdministrator {
    package init(
        username: String,
        evenLast: Bool? = nil,
        _: Void = ()
    ) {
        self.username = username
        self.evenLast = evenLast
    }

    package static var summary: String { "Removes an administrator's account with its sessions; the username is free again. For services only." }
    package static var fields: [Field<Self>] {
        [
            Field("username", \.username),
            Field("evenLast", \.evenLast, "Whether the only administrator may be removed too."),
        ]
    }
}

extension Auth.RemoveAdministrator.Reply: Shape {
    package init(
        account: PartyID,
        closed: [SessionID],
        _: Void = ()
    ) {
        self.account = account
        self.closed = closed
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("account", \.account),
            Field("closed", \.closed, "The sessions that this ended."),
        ]
    }
}
