import Foundation
import Testing
import TouchApp
import TouchTerminal

/// The scripts beside this file, each with its transcript.
private enum Scripts {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Scripts")

    static let names = ["add-card", "flows", "no-card", "options", "pay-on-the-go", "pin", "setup", "trouble"]

    static func text(_ file: String) throws -> String {
        try String(contentsOf: folder.appending(path: file), encoding: .utf8)
    }

    static func transcript(of script: String, _ profile: MemoryBacking.Profile) async throws -> String {
        let backing = MemoryBacking(profile)
        let session = TouchSession(MemoryDevice(app: AppController(backing: backing), backing: backing))
        var text = ""
        let unmet = await Transcript(of: session).run(try Script(script)) { text += $0 }
        #expect(unmet == 0)
        return text
    }
}

@Suite("scripts and their transcripts")
struct ScriptTests {
    @Test("each script does what its transcript says, to the byte", arguments: Scripts.names)
    func transcript(name: String) async throws {
        let profile = name == "no-card" ? MemoryBacking.Profile.noCard : .demo
        let transcript = try await Scripts.transcript(of: Scripts.text("\(name).txt"), profile)
        #expect(Array(transcript.utf8) == Array(try Scripts.text("\(name).transcript.txt").utf8))
    }

    @Test("no script is left out")
    func complete() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Scripts.folder.path)
        #expect(Set(files) == Set(Scripts.names.flatMap { ["\($0).txt", "\($0).transcript.txt"] }))
    }

    @Test("the same script has the same transcript every time")
    func repeatable() async throws {
        let script = try Scripts.text("pay-on-the-go.txt")
        #expect(try await Scripts.transcript(of: script, .demo) == Scripts.transcript(of: script, .demo))
    }

    @Test("spellings of one command", arguments: ["touch(1,5)", "touch 1 5", "  touch( 1 , 5 )  # one", "\ttouch 1, 5"])
    func spellings(text: String) throws {
        #expect(try Script(text).steps.map(\.written) == ["touch(1,5)"])
    }

    @Test("lines may end in any way; empty ones and comments are none")
    func lines() throws {
        let script = try Script("menu1\r\n\r\n# a comment\n   \nmenu2()\rtopLeftCmd\n\nservice mute")
        #expect(script.steps.map(\.written) == ["menu1()", "menu2()", "topLeftCmd()", "service mute"])
        #expect(try Script("").steps.isEmpty)
    }

    @Test(
        "what is wrong, and in which line",
        arguments: [
            ("touch(1)", 1, "touch takes a column and a row, as in touch(1,5)"),
            ("\n\ntouch(1,x)", 3, "touch takes a column and a row, as in touch(1,5)"),
            ("touch(1,99999999999999999999)", 1, "touch takes a column and a row, as in touch(1,5)"),
            ("menu1\r\nmenu2 3", 2, "menu2 takes nothing"), ("service up", 1, "service takes one of well, down, mute"),
            ("expect\n", 1, "expect takes a screen's name, as in expect My Cards - Main"),
            ("expect My Cards", 1, "expect takes a screen's name, as in expect My Cards - Main"),
            ("# fine\ndisplay()\nservice", 3, "service takes one of well, down, mute")
        ])
    func wrong(text: String, line: Int, reason: String) {
        #expect(throws: ScriptError(line: line, reason: reason)) { try Script(text) }
    }

    @Test("a script can expect a screen, by any of its names (A2, A22)")
    func expectations() async throws {
        let backing = MemoryBacking(.demo)
        let session = TouchSession(MemoryDevice(app: AppController(backing: backing), backing: backing))
        let script = try Script(
            """
            expect Pin Screen
            touch 1 5
            touch 2 5
            touch 3 5
            expect My Cards - Main   # not yet
            touch 1 6
            expect My Cards \u{2013} Main
            menu5
            expect Settings
            expect Payments
            """)
        var text = ""
        #expect(await Transcript(of: session).run(script) { text += $0 } == 2)
        #expect(text.contains("> expect My Cards - Main\n(not this screen)\nPin Screen\n"))
        #expect(text.contains("> expect My Cards - Main\nMy Cards - Main\n"))
        #expect(text.contains("> expect Settings Screen\nSettings Screen\n"))
        #expect(text.contains("> expect Payment Setup\n(not this screen)\nSettings Screen\n"))
    }

    @Test("an unknown command is named, and nothing of the script runs")
    func unknown() {
        let error = #expect(throws: ScriptError.self) { try Script("menu1\nmenu6()\n") }
        #expect(error?.description.hasPrefix("line 2: menu6 is no command; there are touch, menu1 to menu5") == true)
    }

    @Test("a script has at most a mebibyte")
    func tooLong() throws {
        #expect(try Script(String(repeating: "#", count: Script.bytesMax)).steps.isEmpty)
        #expect(throws: ScriptError.self) { try Script(String(repeating: "#", count: Script.bytesMax + 1)) }
    }
}
