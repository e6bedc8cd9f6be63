import Primitives

extension Samples {
    package static let letter = LetterID(high: 0x019a_9c3d_2c40_0010, low: 0x00c1_00c1_00c1_00c1)
    package static let account = Auth.AccountView(
        account: customer, role: .customer, username: "alice@example.com", name: "Alice")

    package static let cafe = Auth.AccountView(
        account: merchant, role: .merchant, username: "corner.cafe", name: "Corner \"Café\"", status: .pending)
    /// All that one can say; `Auth.Profile()` is nothing of it.
    package static let profile = Auth.Profile(
        firstName: "Zoë", lastName: "O'Hara", email: "zoe@corner-cafe.example", birthdate: CivilDate("1996-02-29"),
        gender: .female, student: false, businessName: "Corner Café, Inc.", address: "1 Main Street, Flagstaff",
        productTypes: ["coffee", "crêpes"])

    package static let fullProfile = Auth.ProfileView(
        account: merchant, role: .merchant, username: "corner.cafe", name: "Corner \"Café\"", profile: profile,
        status: .rejected, reason: "We know of no such café.")
    package static let leastProfile = Auth.ProfileView(
        account: customer, role: .customer, username: "alice@example.com", name: "Alice", profile: Auth.Profile(),
        status: nil)
    package static let rejectedMerchant = Auth.MerchantView(
        merchant: merchant, username: "corner.cafe", name: "Corner \"Café\"", status: .rejected, profile: profile,
        registered: time, decided: later, reason: "We know of no such café.")
    package static let pendingMerchant = Auth.MerchantView(
        merchant: merchant, username: "corner.cafe", name: "Corner \"Café\"", status: .pending, profile: profile,
        registered: time, decided: nil, reason: nil)

    package static func sessionView(isVerified: Bool) -> Auth.SessionView {
        Auth.SessionView(
            session: session, account: customer, role: .customer, expires: later,
            pinVerifiedUntil: isVerified ? later : nil, transfersHeldUntil: isVerified ? later : nil)
    }
}
