import HTTPClient
import Wire

/// Somebody of the town with an account: a shop, a person, or the clerk who approves.
struct Member {
    let username: String
    /// The account's id.
    var account = ""
    var token = ""
    /// Until when the PIN counts, by `seconds()`.
    var pinUntil = 0.0
}

extension TownPlayer {
    /// The same for all: everybody may log in as anybody of the town.
    package static let password = "demo-password"
    package static let pin = "1234"
    /// Who approves the town's shops and offers.
    package static let clerk = "clerk"
    /// Less than a PIN counts at least.
    private static let pinSeconds = 600.0

    /// Logs in; false where nobody has the username and this password.
    func logIn(_ member: inout Member) throws -> Bool {
        let answer = try caller.call(
            "POST", "/v1/sessions",
            body: ["username": .string(member.username), "password": .string(Self.password)])
        guard answer.status == 201 || answer.status == 200, case .string(let token)? = answer.json["token"],
            case .string(let account)? = answer.json["session"]?["account"]
        else { return false }
        (member.token, member.account, member.pinUntil) = (token, account, 0)
        return true
    }

    /// Makes the account where there is none, and logs in.
    ///
    /// - Throws: `TownFailure` where somebody else has the username.
    func enter(_ member: inout Member, at route: String, form: JSONValue) throws {
        let known = try ask(&clerk, "GET", "/v1/accounts?username=\(member.username)")
        if known.status == 404 {
            // Under a key: an account whose answer got lost is not refused as taken.
            let made = try caller.call("POST", route, key: "town-account", body: form)
            guard made.status == 201 else { throw refused("an account for \(member.username)", made) }
        }
        guard try logIn(&member) else {
            throw TownFailure(
                "somebody else has the username \(member.username): the town cannot be played on this set")
        }
    }

    /// Enters a customer's PIN where it does not count any more; sets it first where there is none.
    func enterPIN(_ member: inout Member) throws {
        guard member.pinUntil < seconds() else { return }
        let body: JSONValue = ["pin": .string(Self.pin)]
        var answer = try caller.call("POST", "/v1/pin/verifications", as: member.token, body: body)
        if answer.json["code"] == "auth.pin_not_set" {
            let set = try caller.call(
                "PUT", "/v1/pin", as: member.token,
                body: ["password": .string(Self.password), "pin": .string(Self.pin)])
            guard set.status == 204 else { throw refused("a PIN for \(member.username)", set) }
            answer = try caller.call("POST", "/v1/pin/verifications", as: member.token, body: body)
        }
        guard answer.status == 200 else { return caller.note(answer) }
        member.pinUntil = seconds() + Self.pinSeconds
    }

    /// A request of somebody who has logged in; once more with a new session where that has ended.
    func ask(
        _ member: inout Member, _ method: String, _ path: String, key: String? = nil, body: JSONValue? = nil
    ) throws -> HTTPClient.Response {
        let answer = try caller.call(method, path, as: member.token, key: key, body: body)
        guard answer.status == 401, try logIn(&member) else { return answer }
        return try caller.call(method, path, as: member.token, key: key, body: body)
    }

    func refused(_ what: String, _ answer: HTTPClient.Response) -> TownFailure {
        TownFailure("\(what) was refused: \(String(decoding: answer.body, as: UTF8.self))")
    }
}

/// Why the town cannot be played.
package struct TownFailure: Error, CustomStringConvertible {
    package let description: String
    init(_ description: String) { self.description = description }
}
