import AuthService
import Contracts
import Primitives
import Sodium
import Testing

@Suite("Hashes of secrets")
struct PasswordHashTests {
    static let cheap = PasswordHash(pepper: [UInt8](repeating: 1, count: 32), cost: .cheapest)
    static let secret = Array("1234".utf8)

    @Test("the standard cost is Argon2id, 19 MiB, two passes; verifies and refuses")
    func standard() throws {
        let hasher = PasswordHash(pepper: [UInt8](repeating: 1, count: 32))
        let hash = try hasher.hash(Self.secret, context: [1])
        #expect(hash.hasPrefix("$argon2id$v=19$m=19456,t=2,p=1$"))
        #expect(try hasher.verify(Self.secret, context: [1], against: hash))
        #expect(try !hasher.verify(Array("1235".utf8), context: [1], against: hash))
        #expect(hasher.needsRehash(hash) == false)
        #expect(Self.cheap.needsRehash(hash) == true)
    }

    @Test("salted: the same secret never gives the same hash")
    func salted() throws {
        #expect(try Self.cheap.hash(Self.secret, context: []) != Self.cheap.hash(Self.secret, context: []))
    }

    @Test("useless without the pepper and in another context")
    func bound() throws {
        let hash = try Self.cheap.hash(Self.secret, context: [1])
        let other = PasswordHash(pepper: [UInt8](repeating: 2, count: 32), cost: .cheapest)
        #expect(try !other.verify(Self.secret, context: [1], against: hash))
        #expect(try !Self.cheap.verify(Self.secret, context: [2], against: hash))
        #expect(try !Self.cheap.verify(Self.secret, context: [], against: hash))
        // A byte moved from the context to the secret.
        #expect(try !Self.cheap.verify([1] + Self.secret, context: [], against: hash))
    }

    @Test(
        "what is no hash is trouble, not a wrong secret",
        arguments: ["", "1234", "$argon2id$v=19$m=8,t=1,p=1$", "$argon2i$v=19$m=8,t=1,p=1$AAAA$AAAA"])
    func unusable(text: String) {
        #expect(throws: PasswordHash.HashError.self) {
            try Self.cheap.verify(Self.secret, context: [], against: text)
        }
        #expect(Self.cheap.needsRehash(text) == nil)
    }

    @Test("secrets and tokens do not describe themselves")
    func silent() {
        let token = SessionToken()
        for (value, secret) in [
            (Secret(password: "hunter22") as Any, "hunter22"), (Secret(pin: "4711")! as Any, "4711"),
            (token as Any, token.text)
        ] {
            var dumped = ""
            dump(value, to: &dumped)
            for text in ["\(value)", String(reflecting: value), dumped] { #expect(!text.contains(secret)) }
        }
    }

    @Test("a PIN is four ASCII digits", arguments: ["", "123", "12345", "12a4", "１２３４", "12 4", "-123"])
    func pins(text: String) { #expect(Secret(pin: text) == nil) }

    @Test("tokens: 256 bits in base64url, digests in lowercase hex")
    func tokens() {
        let token = SessionToken()
        #expect(token.text.utf8.count == 43)
        #expect(token.text.wholeMatch(of: /[A-Za-z0-9_-]{43}/) != nil)
        #expect(token.text != SessionToken().text)
        #expect(SessionToken.digest(hex: String(repeating: "0a", count: 32)) == [UInt8](repeating: 10, count: 32))
        #expect(SessionToken.digest(hex: String(repeating: "0A", count: 32)) == nil)
        #expect(SessionToken.digest(hex: String(repeating: "0a", count: 31)) == nil)
    }
}
