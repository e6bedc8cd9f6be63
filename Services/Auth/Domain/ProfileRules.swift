import Contracts
import Primitives

/// The rules of a profile. A field is checked if it is given; none is required here.
package enum ProfileRules {
    package static let productTypeBytesMax = 40
    /// The earliest birthdate.
    package static let birthdateMin = CivilDate("1900-01-01")!

    /// The profile as it is stored: without empty lists.
    ///
    /// - Parameter now: birthdates are before this day, in UTC.
    /// - Throws: `auth.email_invalid`, `auth.birthdate_invalid`, `auth.profile_invalid`.
    package static func checked(
        _ profile: Auth.Profile, of role: Auth.Role, at now: Timestamp
    ) throws(Fault) -> Auth.Profile {
        if let email = profile.email, !EmailAddress.isOne(email) { throw Fault(.emailInvalid) }
        if let birthdate = profile.birthdate {
            guard (birthdateMin..<CivilDate(of: now)).contains(birthdate) else { throw Fault(.birthdateInvalid) }
        }
        try check(profile.firstName, "firstName")
        try check(profile.lastName, "lastName")
        try check(profile.businessName, "businessName")
        try check(profile.address, "address")
        let types = profile.productTypes ?? []
        guard Set(types).count == types.count else { throw Fault(.profileInvalid, "'productTypes' has each once") }
        for type in types {
            try check(type, "productTypes")
            guard type.utf8.count <= productTypeBytesMax else {
                throw Fault(.profileInvalid, "'productTypes' has texts of at most \(productTypeBytesMax) bytes")
            }
        }
        guard role == .merchant || (profile.businessName == nil && types.isEmpty) else {
            throw Fault(.profileInvalid, "'businessName' and 'productTypes' are a merchant's")
        }
        return Auth.Profile(
            firstName: profile.firstName, lastName: profile.lastName, email: profile.email,
            birthdate: profile.birthdate, gender: profile.gender, student: profile.student,
            businessName: profile.businessName, address: profile.address,
            productTypes: types.isEmpty ? nil : types)
    }

    private static func check(_ text: String?, _ field: String) throws(Fault) {
        guard let text, !text.isShownAndVisible else { return }
        throw Fault(.profileInvalid, "'\(field)' is something to see, without control or invisible characters")
    }
}
