import Contracts
import Primitives

extension Samples {
    private static let account = Auth.AccountView(
        account: customer, role: .customer, username: "alice@example.com", name: "Alice")

    static let auth: [Sample] =
        ask(
            Auth.RegisterAccount(
                account: merchant, role: .merchant, username: "corner.cafe", password: "correct horse",
                name: "Corner \"Café\""),
            bare: Auth.RegisterAccount(
                account: customer, role: .customer, username: "alice@example.com", password: "correct horse", name: nil),
            reply: Auth.RegisterAccount.Reply(account: account, replayed: false))
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
            Auth.SetPIN(account: customer, password: "correct horse", pin: "0427"), reply: Auth.SetPIN.Reply(set: true))
        + ask(
            Auth.VerifyPIN(account: customer, session: session, pin: "0427"),
            reply: Auth.VerifyPIN.Reply(verifiedUntil: later))
        + fact(
            Auth.AccountRegistered(
                account: customer, role: .customer, name: "Ada", time: time, username: "ada",
                birthdate: CivilDate(year: 1990, month: 2, day: 28), gender: .female, student: true, status: .pending),
            bare: Auth.AccountRegistered(
                account: merchant, role: .merchant, name: "Corner \"Café\"", time: time, username: nil))
        + fact(Auth.PINLocked(account: customer, time: time))
        + fact(Auth.SessionClosed(session: session, account: customer, time: time))

    private static func sessionView(isVerified: Bool) -> Auth.SessionView {
        Auth.SessionView(
            session: session, account: customer, role: .customer, expires: later,
            pinVerifiedUntil: isVerified ? later : nil)
    }
}
