// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Primitives
import Wire

extension Auth.Gender: Choice {
    package static var summary: String { "`M` or `F`; absent where a customer does not say." }
    package static var meanings: [Self: String] {
        [:]
    }
}

extension Auth.MerchantStatus: Choice {
    package static var summary: String { "Whether a merchant may charge and send." }
    package static var meanings: [Self: String] {
        [:]
    }
}

extension Auth.AccountRegistered {
    package init(
        account: PartyID,
        role: Auth.Role,
        name: String,
        time: Timestamp,
        username: String? = nil,
        birthdate: CivilDate? = nil,
        gender: Auth.Gender? = nil,
        student: Bool? = nil,
        status: Auth.MerchantStatus? = nil,
        productTypes: [String]? = nil,
        _: Void = ()
    ) {
        self.account = account
        self.role = role
        self.name = name
        self.time = time
        self.username = username
        self.birthdate = birthdate
        self.gender = gender
        self.student = student
        self.status = status
        self.productTypes = productTypes
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("account", \.account),
            Field("role", \.role),
            Field("name", \.name),
            Field("time", \.time),
            Field("username", \.username, "Absent in facts that are older than this field."),
            Field("birthdate", \.birthdate),
            Field("gender", \.gender),
            Field("student", \.student),
            Field("status", \.status, "A merchant's."),
            Field("productTypes", \.productTypes, "What kinds of products a merchant has; absent where it says none."),
        ]
    }
}

extension Auth.ProfileChanged {
    package init(
        account: PartyID,
        role: Auth.Role,
        username: String,
        name: String,
        birthdate: CivilDate? = nil,
        gender: Auth.Gender? = nil,
        student: Bool? = nil,
        time: Timestamp,
        productTypes: [String]? = nil,
        _: Void = ()
    ) {
        self.account = account
        self.role = role
        self.username = username
        self.name = name
        self.birthdate = birthdate
        self.gender = gender
        self.student = student
        self.time = time
        self.productTypes = productTypes
    }

    package static var summary: String { "What others and the targeting of offers know of an account has changed; all of it as it is now." }
    package static var fields: [Field<Self>] {
        [
            Field("account", \.account),
            Field("role", \.role),
            Field("username", \.username),
            Field("name", \.name),
            Field("birthdate", \.birthdate),
            Field("gender", \.gender),
            Field("student", \.student),
            Field("time", \.time),
            Field("productTypes", \.productTypes, "A merchant's; absent where it says none."),
        ]
    }
}

extension Auth.MerchantDecided {
    package init(
        merchant: PartyID,
        status: Auth.MerchantStatus,
        reason: String? = nil,
        time: Timestamp,
        _: Void = ()
    ) {
        self.merchant = merchant
        self.status = status
        self.reason = reason
        self.time = time
    }

    package static var summary: String { "The administrator approved or rejected a merchant." }
    package static var fields: [Field<Self>] {
        [
            Field("merchant", \.merchant),
            Field("status", \.status),
            Field("reason", \.reason),
            Field("time", \.time),
        ]
    }
}
