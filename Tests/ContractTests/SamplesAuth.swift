import Contracts
import Primitives

extension Samples {
    private static let account = Auth.AccountView(
        account: customer, role: .customer, username: "alice@example.com", name: "Alice")

    private static let cafe = Auth.AccountView(
        account: merchant, role: .merchant, username: "corner.cafe", name: "Corner \"Café\"", status: .pending)
    /// All that one can say; `Auth.Profile()` is nothing of it.
    private static let profile = Auth.Profile(
        firstName: "Zoë", lastName: "O'Hara", email: "zoe@corner-cafe.example", birthdate: CivilDate("1996-02-29"),
        gender: .female, student: false, businessName: "Corner Café, Inc.", address: "1 Main Street, Flagstaff",
        productTypes: ["coffee", "crêpes"])

    static let auth: [Sample] =
        ask(
            Auth.RegisterAccount(
                account: merchant, role: .merchant, username: "corner.cafe", password: "correct horse",
                name: "Corner \"Café\"", profile: profile, approved: true),
            bare: Auth.RegisterAccount(
                account: customer, role: .customer, username: "alice@example.com", password: "correct horse", name: nil),
            reply: Auth.RegisterAccount.Reply(account: account, replayed: false),
            bareReply: Auth.RegisterAccount.Reply(account: cafe, replayed: true))
        + ask(
            Auth.ReadAccount(account: customer), bare: Auth.ReadAccount(username: "alice@example.com"), reply: account)
        + ask(
            Auth.OpenSession(username: "alice@example.com", password: "correct horse"),
            reply: Auth.OpenSession.Reply(
                token: "q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4k", session: sessionView(isVerified: true)),
            bareReply: Auth.OpenSession.Reply(
                token: "q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4k", session: sessionView(isVerified: false)))
        + ask(
            Auth.ReadSession(tokenDigest: digest), reply: sessionView(isVerified: true),
            bareReply: sessionView(isVerified: false))
        + ask(
            Auth.CloseSession(session: session, account: customer), reply: Auth.CloseSession.Reply(closed: true))
        + ask(
            Auth.SetPIN(
                account: customer, password: "correct horse", pin: "0427", session: session, currentPin: "4711"),
            bare: Auth.SetPIN(account: customer, password: "correct horse", pin: "0427"),
            reply: Auth.SetPIN.Reply(set: true, changed: [session]), bareReply: Auth.SetPIN.Reply(set: true))
        + ask(
            Auth.VerifyPIN(account: customer, session: session, pin: "0427"),
            reply: Auth.VerifyPIN.Reply(verifiedUntil: later))
        + authProfiles + authMerchants + authResets + authAdministrators + authLetters
        + fact(
            Auth.AccountRegistered(
                account: merchant, role: .merchant, name: "Corner \"Café\"", time: time, username: "corner.cafe",
                birthdate: profile.birthdate, gender: .female, student: false, status: .pending,
                productTypes: ["coffee", "cake"]),
            bare: Auth.AccountRegistered(
                account: customer, role: .customer, name: "Alice", time: time, username: nil))
        + fact(
            Auth.ProfileChanged(
                account: customer, role: .customer, username: "alice@example.com", name: "Alice",
                birthdate: profile.birthdate, gender: .female, student: true, time: time, productTypes: ["cake"]),
            bare: Auth.ProfileChanged(
                account: customer, role: .customer, username: "alice@example.com", name: "Alice", birthdate: nil,
                gender: nil, student: nil, time: time))
        + fact(
            Auth.MerchantDecided(
                merchant: merchant, status: .rejected, reason: "We know of no such café.", time: time),
            bare: Auth.MerchantDecided(merchant: merchant, status: .approved, reason: nil, time: time))
        + fact(Auth.PINLocked(account: customer, time: time))
        + fact(Auth.SessionChanged(session: session, account: customer, time: time))
        + fact(Auth.SessionClosed(session: session, account: customer, time: time))
        + fact(Auth.CredentialChanged(account: customer, credential: .restoredAddress, time: time))
        + fact(Auth.LetterQueued(letter: letter, account: customer, kind: .code, expires: later, time: time))

    private static let authProfiles: [Sample] = {
        let full = Auth.ProfileView(
            account: merchant, role: .merchant, username: "corner.cafe", name: "Corner \"Café\"", profile: profile,
            status: .approved)
        let least = Auth.ProfileView(
            account: customer, role: .customer, username: "alice@example.com", name: "Alice", profile: Auth.Profile(),
            status: nil)
        return ask(Auth.ReadProfile(account: merchant), reply: full, bareReply: least)
            + ask(
                Auth.UpdateProfile(
                    account: merchant, name: "Corner \"Café\"", profile: profile, fields: [.email, .productTypes],
                    session: session, password: "correct horse", pin: "0427"),
                bare: Auth.UpdateProfile(account: customer, name: nil, profile: Auth.Profile()), reply: full,
                bareReply: least)
            + ask(
                Auth.ChangePassword(
                    account: customer, session: session, password: "correct horse", newPassword: "wrong donkey",
                    pin: "0427"),
                bare: Auth.ChangePassword(
                    account: customer, session: nil, password: "correct horse", newPassword: "wrong donkey"),
                reply: Auth.ChangePassword.Reply(closed: [session]))
    }()

    private static let authMerchants: [Sample] = {
        let rejected = Auth.MerchantView(
            merchant: merchant, username: "corner.cafe", name: "Corner \"Café\"", status: .rejected, profile: profile,
            registered: time, decided: later, reason: "We know of no such café.")
        let pending = Auth.MerchantView(
            merchant: merchant, username: "corner.cafe", name: "Corner \"Café\"", status: .pending, profile: profile,
            registered: time, decided: nil, reason: nil)
        return ask(
            Auth.DecideMerchant(merchant: merchant, approved: false, reason: "We know of no such café."),
            bare: Auth.DecideMerchant(merchant: merchant, approved: true, reason: nil), reply: rejected)
            + ask(
                Auth.ReadMerchants(status: .pending, after: friend, limit: 20),
                bare: Auth.ReadMerchants(status: nil, after: nil, limit: 100),
                reply: Auth.ReadMerchants.Reply(merchants: [pending], next: merchant),
                bareReply: Auth.ReadMerchants.Reply(merchants: [], next: nil))
    }()

    private static let authResets: [Sample] =
        ask(
            Auth.RequestReset(username: "alice@example.com", email: "alice@example.com"),
            reply: Auth.RequestReset.Reply(expires: later))
        + ask(
            Auth.UseReset(
                username: "alice@example.com", code: "7K3M-9QXT-R0V2-HB4C-WZ81-N6FJ-D5PA", newPassword: "wrong donkey"),
            reply: Auth.UseReset.Reply(account: customer, closed: [session]))
        + ask(
            Auth.RestoreAddress(
                username: "alice@example.com", code: "7K3M-9QXT-R0V2-HB4C-WZ81-N6FJ-D5PA", newPassword: "wrong donkey"),
            reply: Auth.RestoreAddress.Reply(account: customer, closed: [session]))

    private static let letter = LetterID(high: 0x019a_9c3d_2c40_0010, low: 0x00c1_00c1_00c1_00c1)

    private static let authLetters: [Sample] =
        ask(
            Auth.ReadLetter(letter: letter),
            reply: Auth.ReadLetter.Reply(
                to: "alice@example.com", subject: "Your Billfold code",
                text: "The code: 7K3M-9QXT-R0V2-HB4C-WZ81-N6FJ-D5PA\n", expires: later))
        + ask(Auth.ConfirmLetter(letter: letter), reply: Auth.ConfirmLetter.Reply(confirmed: true))

    private static let authAdministrators: [Sample] =
        ask(
            Auth.ReadAdministrators(after: friend, limit: 20), bare: Auth.ReadAdministrators(after: nil, limit: 100),
            reply: Auth.ReadAdministrators.Reply(
                administrators: [.init(account: customer, username: "root", registered: time)], next: customer),
            bareReply: Auth.ReadAdministrators.Reply(administrators: [], next: nil))
        + ask(
            Auth.RenewAdministrator(username: "root", newPassword: "wrong donkey"),
            reply: Auth.RenewAdministrator.Reply(account: customer, closed: [session]))
        + ask(
            Auth.RemoveAdministrator(username: "root", evenLast: true),
            bare: Auth.RemoveAdministrator(username: "root"),
            reply: Auth.RemoveAdministrator.Reply(account: customer, closed: [session]))

    private static func sessionView(isVerified: Bool) -> Auth.SessionView {
        Auth.SessionView(
            session: session, account: customer, role: .customer, expires: later,
            pinVerifiedUntil: isVerified ? later : nil, transfersHeldUntil: isVerified ? later : nil)
    }
}
