import Crypto
import CryptoExtras
import Primitives
import Wire

/// A JSON Web Token (RFC 7519) in its compact form.
enum JSONWebToken {
    /// ES256 (RFC 7518 section 3.4): the two numbers of the signature one after the other.
    static func es256(
        _ header: [JSONValue.Member], _ claims: [JSONValue.Member], _ key: P256.Signing.PrivateKey
    ) throws -> String {
        let content = content("ES256", header, claims)
        return content + "." + Base64URL.encode(try key.signature(for: Array(content.utf8)).rawRepresentation)
    }

    /// RS256 (RFC 7518 section 3.3), as Google's service accounts sign.
    static func rs256(
        _ header: [JSONValue.Member], _ claims: [JSONValue.Member], _ key: _RSA.Signing.PrivateKey
    ) throws -> String {
        let content = content("RS256", header, claims)
        let signature = try key.signature(for: Array(content.utf8), padding: .insecurePKCS1v1_5)
        return content + "." + Base64URL.encode(signature.rawRepresentation)
    }

    private static func content(_ algorithm: String, _ header: [JSONValue.Member], _ claims: [JSONValue.Member])
        -> String
    {
        let head = JSONValue.object([.init("typ", "JWT"), .init("alg", .string(algorithm))] + header)
        return Base64URL.encode(head.text.utf8) + "." + Base64URL.encode(JSONValue.object(claims).text.utf8)
    }
}
