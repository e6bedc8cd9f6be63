import Contracts
import Primitives

/// What an account may say of itself. Each field is looked at where it is given; none is required (A38).
package enum ProfileRules {
    package static let nameBytesMax = 100
    package static let addressBytesMax = 250
    package static let productTypesMax = 20
    package static let productTypeBytesMax = 40
    /// Nobody who is older has a mobile wallet.
    package static let birthdateMin = CivilDate("1900-01-01")!

    /// The profile as it is kept: without lists that are empty.
    ///
    /// - Parameter now: a birthday is in the past, by the day in UTC.
    /// - Throws: `auth.email_invalid`, `auth.birthdate_invalid`, `auth.profile_invalid`.
    package static func checked(
        _ profile: Auth.Profile, of role: Auth.Role, at now: Timestamp
    ) throws(Fault) -> Auth.Profile {
        if let email = profile.email, !EmailAddress.isOne(email) { throw Fault(.emailInvalid) }
        if let birthdate = profile.birthdate {
            guard (birthdateMin..<CivilDate(of: now)).contains(birthdate) else { throw Fault(.birthdateInvalid) }
        }
        try check(profile.firstName, "firstName", bytesMax: nameBytesMax)
        try check(profile.lastName, "lastName", bytesMax: nameBytesMax)
        try check(profile.businessName, "businessName", bytesMax: nameBytesMax)
        try check(profile.address, "address", bytesMax: addressBytesMax)
        let types = profile.productTypes ?? []
        guard types.count <= productTypesMax, Set(types).count == types.count else {
            throw Fault(.profileInvalid, "'productTypes' has at most \(productTypesMax), each once")
        }
        for type in types { try check(type, "productTypes", bytesMax: productTypeBytesMax) }
        guard role == .merchant || (profile.businessName == nil && types.isEmpty) else {
            throw Fault(.profileInvalid, "'businessName' and 'productTypes' are a merchant's")
        }
        return Auth.Profile(
            firstName: profile.firstName, lastName: profile.lastName, email: profile.email,
            birthdate: profile.birthdate, gender: profile.gender, student: profile.student,
            businessName: profile.businessName, address: profile.address,
            productTypes: types.isEmpty ? nil : types)
    }

    private static func check(_ text: String?, _ field: String, bytesMax: Int) throws(Fault) {
        guard let text else { return }
        guard text.utf8.count <= bytesMax, text.isShownAndVisible else {
            throw Fault(
                .profileInvalid,
                "'\(field)' is something to see of at most \(bytesMax) bytes, without control or invisible characters")
        }
    }
}
