import Contracts
import Primitives

/// The session of a page: a bearer token in a cookie that scripts cannot read. One for each role, so that a customer's,
/// a merchant's and an administrator's page work beside each other in one browser.
package enum SessionCookie {
    /// Only paths of the interface get it.
    private static let scope = "Path=/v1; HttpOnly; SameSite=Strict"

    package static func name(_ role: Auth.Role) -> String { "billfold-\(role.rawValue)" }

    /// `Set-Cookie` of a session that was opened.
    static func opening(_ token: String, _ session: Auth.SessionView, at now: Timestamp, isSecure: Bool) -> String {
        let seconds = max(0, (session.expires - now).wholeMilliseconds / 1000)
        return "\(name(session.role))=\(token); Max-Age=\(seconds); \(scope)" + (isSecure ? "; Secure" : "")
    }

    /// `Set-Cookie` of a session that has ended.
    static func ending(_ role: Auth.Role) -> String { "\(name(role))=; Max-Age=0; \(scope)" }

    /// The token in a `Cookie` field (RFC 6265 section 4.2.1); nil where it has none of this role.
    static func token(in field: String, of role: Auth.Role) -> Substring? {
        let name = name(role)
        for pair in field.split(separator: ";") {
            let pair = pair.drop { $0 == " " }
            guard pair.hasPrefix(name), pair.dropFirst(name.utf8.count).first == "=" else { continue }
            let token = pair.dropFirst(name.utf8.count + 1)
            return token.isEmpty ? nil : token
        }
        return nil
    }
}

/// What proves who sends a request.
struct Credential {
    let digest: TokenDigest
    /// The role of the cookie that it came in; nil of an `Authorization` field.
    var cookie: Auth.Role?

    /// The `Authorization` field goes before cookies. A route that needs no session reads a cookie only where the
    /// request names its role.
    ///
    /// - Parameter named: the role in the query, of clients that cannot send fields.
    init?(_ fields: RequestFields, _ route: Route, named: Auth.Role?) throws(Fault) {
        if let field = fields.authorization {
            guard let digest = TokenDigest(authorization: field) else { return nil }
            self.digest = digest
            return
        }
        guard let cookies = fields.cookie, let roles = route.roles else { return nil }
        let named = if let named { named } else { try fields.namedRole() }
        if named == nil, route.isOpen { return nil }
        let tokens = (named.map { [$0] } ?? Auth.Role.allCases.filter(roles.contains)).compactMap { role in
            SessionCookie.token(in: cookies, of: role).map { (role, $0) }
        }
        guard tokens.count < 2 else {
            throw Fault(.malformed, "There are cookies of several roles: 'Billfold-Role' has to name one of them")
        }
        guard let (role, token) = tokens.first, let digest = TokenDigest(authorization: "Bearer \(token)") else {
            return nil
        }
        self.digest = digest
        cookie = role
    }
}

extension RequestFields {
    fileprivate func namedRole() throws(Fault) -> Auth.Role? {
        guard let role else { return nil }
        guard let named = Auth.Role(rawValue: role) else {
            throw Fault(.malformed, "'Billfold-Role' is customer, merchant or administrator")
        }
        return named
    }

    /// Whether a page of this gateway sent the request, and no other site: as the browser says, or by the page's origin
    /// where it does not say so (it is silent towards plain HTTP).
    var isFromOwnPage: Bool {
        if let site = fetchSite { return site == "same-origin" }
        guard let origin, let host, let scheme = origin.firstRange(of: "://") else { return false }
        return origin[scheme.upperBound...].lowercased() == host.lowercased()
    }
}
