// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Primitives
import Wire

extension Auth.RequestReset {
    package init(
        username: String,
        email: String,
        _: Void = ()
    ) {
        self.username = username
        self.email = email
    }

    package static var summary: String { "Has a code for a new password mailed to whoever names an account and its e-mail address. The answer is the same whether or not the two belong together, and whether or not there is such an account. Each ask counts against the username. A further one puts another code in the place of the one before." }
    package static var fields: [Field<Self>] {
        [
            Field("username", \.username),
            Field("email", \.email, "As the account has it, but for the case of ASCII letters."),
        ]
    }
}

extension Auth.RequestReset.Reply: Shape {
    package init(
        expires: Timestamp,
        _: Void = ()
    ) {
        self.expires = expires
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("expires", \.expires, "How long a code lasts, if one has been mailed."),
        ]
    }
}

extension Auth.RequestUsernames {
    package init(
        email: String,
        _: Void = ()
    ) {
        self.email = email
    }

    package static var summary: String { "Has the usernames mailed that belong to an e-mail address. The answer is the same whether or not an account has that address, and costs the same. Each ask counts against the address." }
    package static var fields: [Field<Self>] {
        [
            Field("email", \.email, "As accounts have it, but for the case of ASCII letters."),
        ]
    }
}

extension Auth.RequestUsernames.Reply: Shape {
    package init(
        expires: Timestamp,
        _: Void = ()
    ) {
        self.expires = expires
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("expires", \.expires, "Until when the letter is sent, if there is one."),
        ]
    }
}

extension Auth.UseReset {
    package init(
        username: String,
        code: String,
        newPassword: String,
        _: Void = ()
    ) {
        self.username = username
        self.code = code
        self.newPassword = newPassword
    }

    package static var summary: String { "Sets a new password by a mailed code, which is then spent. Every wrong code counts. Ends all the account's sessions, and holds its transfers to others for a time, a day by default." }
    package static var fields: [Field<Self>] {
        [
            Field("username", \.username),
            Field("code", \.code, "As it was mailed; case, blanks and hyphens do not matter."),
            Field("newPassword", \.newPassword, "8 to 128 bytes of UTF-8."),
        ]
    }
}

extension Auth.UseReset.Reply: Shape {
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

extension Auth.RestoreAddress {
    package init(
        username: String,
        code: String,
        newPassword: String,
        _: Void = ()
    ) {
        self.username = username
        self.code = code
        self.newPassword = newPassword
    }

    package static var summary: String { "Puts the e-mail address back that the account had, by the code that was mailed there when it was changed, and sets a new password. Every wrong code counts. Ends all the account's sessions, spends the codes of later changes, and holds transfers to others for a time, a day by default." }
    package static var fields: [Field<Self>] {
        [
            Field("username", \.username),
            Field("code", \.code, "As it was mailed; case, blanks and hyphens do not matter."),
            Field("newPassword", \.newPassword, "8 to 128 bytes of UTF-8."),
        ]
    }
}

extension Auth.RestoreAddress.Reply: Shape {
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

extension Auth.Credential: Choice {
    package static var summary: String { "What can open an account or recover it." }
    package static var meanings: [Self: String] {
        [
            .address: "The e-mail address, to which codes for new passwords are mailed.",
            .restoredAddress: "The address, put back by a mailed code; the password is another one too.",
            .resetPassword: "The password, set by a mailed code.",
        ]
    }
}

extension Auth.CredentialChanged {
    package init(
        account: PartyID,
        credential: Auth.Credential,
        time: Timestamp,
        _: Void = ()
    ) {
        self.account = account
        self.credential = credential
        self.time = time
    }

    package static var summary: String { "An account has another address, password or PIN. Its owner is told in each case." }
    package static var fields: [Field<Self>] {
        [
            Field("account", \.account),
            Field("credential", \.credential),
            Field("time", \.time),
        ]
    }
}
