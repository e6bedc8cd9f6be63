// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Primitives
import Wire

extension Auth.Profile: Shape {
    package init(
        firstName: String? = nil,
        lastName: String? = nil,
        email: String? = nil,
        birthdate: CivilDate? = nil,
        gender: Auth.Gender? = nil,
        student: Bool? = nil,
        businessName: String? = nil,
        address: String? = nil,
        productTypes: [String]? = nil,
        _: Void = ()
    ) {
        self.firstName = firstName
        self.lastName = lastName
        self.email = email
        self.birthdate = birthdate
        self.gender = gender
        self.student = student
        self.businessName = businessName
        self.address = address
        self.productTypes = productTypes
    }

    package static var summary: String { "What a person or a business says of itself. All of it is optional, and what is absent is not known. Personal: an account's own, its administrators' and the services' to read." }
    package static var fields: [Field<Self>] {
        [
            Field("firstName", \.firstName, "At most 100 bytes each."),
            Field("lastName", \.lastName),
            Field("email", \.email, "One address, RFC 5321's Mailbox without literals and quotes; at most 254 bytes."),
            Field("birthdate", \.birthdate, "From 1900-01-01 to yesterday."),
            Field("gender", \.gender),
            Field("student", \.student),
            Field("businessName", \.businessName, "A merchant's: what the business is called more exactly; at most 100 bytes."),
            Field("address", \.address, "A merchant's primary location, in words; at most 250 bytes."),
            Field("productTypes", \.productTypes, "What a merchant sells: at most 20 different ones, each at most 40 bytes."),
        ]
    }
}

extension Auth.ProfileView: Shape {
    package init(
        account: PartyID,
        role: Auth.Role,
        username: String,
        name: String,
        profile: Auth.Profile,
        status: Auth.MerchantStatus? = nil,
        reason: String? = nil,
        _: Void = ()
    ) {
        self.account = account
        self.role = role
        self.username = username
        self.name = name
        self.profile = profile
        self.status = status
        self.reason = reason
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("account", \.account),
            Field("role", \.role),
            Field("username", \.username),
            Field("name", \.name),
            Field("profile", \.profile),
            Field("status", \.status, "A merchant's."),
            Field("reason", \.reason, "The administrator's words with the decision about a merchant."),
        ]
    }
    package static let parts: [Limit<Self>] = [
        .within(\.profile),
    ]
}

extension Auth.ReadProfile {
    package init(
        account: PartyID,
        _: Void = ()
    ) {
        self.account = account
    }

    package static var summary: String { "All that an account says of itself. For the account, administrators and services." }
    package static var fields: [Field<Self>] {
        [
            Field("account", \.account),
        ]
    }
}

extension Auth.ProfileField: Choice {
    package static var summary: String { "" }
    package static var meanings: [Self: String] {
        [:]
    }
}

extension Auth.UpdateProfile {
    package init(
        account: PartyID,
        name: String? = nil,
        profile: Auth.Profile,
        fields: [Auth.ProfileField]? = nil,
        session: SessionID? = nil,
        password: String? = nil,
        pin: String? = nil,
        _: Void = ()
    ) {
        self.account = account
        self.name = name
        self.profile = profile
        self.fields = fields
        self.session = session
        self.password = password
        self.pin = pin
    }

    package static var summary: String { "Puts these in the place of what the account has said of itself. For the account and services. The e-mail address can recover the account. Another one, or none, needs the password, which counts as a log-in, and the PIN of an account that has one: entered in the session lately, or given. The old address gets a code that puts it back, and transfers to others are held for a time, a day by default." }
    package static var fields: [Field<Self>] {
        [
            Field("account", \.account),
            Field("name", \.name, "What others see; as it was where none is given."),
            Field("profile", \.profile),
            Field("fields", \.fields, "The fields of `profile` that are to change: those that it lacks are erased. All of them where it is absent."),
            Field("session", \.session, "The session that asks."),
            Field("password", \.password, "The present password, for another e-mail address."),
            Field("pin", \.pin, "The PIN, for another e-mail address, where it was not entered in the session lately."),
        ]
    }
    package static let parts: [Limit<Self>] = [
        .within(\.profile),
    ]
}

extension Auth.ChangePassword {
    package init(
        account: PartyID,
        session: SessionID? = nil,
        password: String,
        newPassword: String,
        pin: String? = nil,
        _: Void = ()
    ) {
        self.account = account
        self.session = session
        self.password = password
        self.newPassword = newPassword
        self.pin = pin
    }

    package static var summary: String { "Sets another password; the present one proves who asks, and every try counts. An account that has a PIN proves it too: entered in the session lately, or given. Ends the account's other sessions." }
    package static var fields: [Field<Self>] {
        [
            Field("account", \.account),
            Field("session", \.session, "The one that stays; all end where none is named."),
            Field("password", \.password),
            Field("newPassword", \.newPassword, "8 to 128 bytes of UTF-8."),
            Field("pin", \.pin, "Where it was not entered in the session lately. Counts as a try at it."),
        ]
    }
}

extension Auth.ChangePassword.Reply: Shape {
    package init(
        closed: [SessionID],
        _: Void = ()
    ) {
        self.closed = closed
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("closed", \.closed, "The sessions that this ended."),
        ]
    }
}
