import Supervision
import Testing

@Suite("Names in a compose file")
struct InterpolationTests {
    private static let environment = ["PORT": "9090", "EMPTY": "", "OTHER": "other"]

    @Test(
        "stand for what the environment says, or for their defaults",
        arguments: [
            ("plain", "plain"), ("$PORT", "9090"), ("${PORT}", "9090"), ("at:${PORT}/x", "at:9090/x"),
            ("$$PORT", "$PORT"),
            ("${NONE}", ""), ("$NONE", ""), ("${NONE:-1}", "1"), ("${NONE-1}", "1"), ("${EMPTY:-1}", "1"),
            ("${EMPTY-1}", ""),
            ("${PORT:-1}", "9090"), ("${NONE:-${OTHER}}", "other"), ("${NONE:-${ALSO:-deep}}", "deep"),
            ("${PORT:+set}", "set"), ("${NONE:+set}", ""), ("${EMPTY:+set}", ""), ("${EMPTY+set}", "set"),
            ("${PORT:?words}", "9090"), ("${EMPTY?words}", ""), ("${NONE:-a:b}", "a:b"), ("$PORT$PORT", "90909090")
        ])
    func replaces(text: String, expected: String) throws {
        #expect(try Interpolation.apply(to: text, Self.environment) == expected)
    }

    @Test(
        "are refused where they cannot be read, or have to be set",
        arguments: ["$", "$1", "a $ b", "${", "${PORT", "${}", "${:-x}", "${PORT!}", "${NONE:?say it}", "${EMPTY:?}"])
    func refuses(text: String) {
        #expect(throws: ComposeError.self) { try Interpolation.apply(to: text, Self.environment) }
    }

    @Test("lie in each other up to a bound")
    func bounded() {
        let deep = String(repeating: "${NONE:-", count: 12) + "x" + String(repeating: "}", count: 12)
        #expect(throws: ComposeError.self) { try Interpolation.apply(to: deep, [:]) }
    }
}
