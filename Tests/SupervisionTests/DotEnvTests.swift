import Foundation
import Supervision
import TestKit
import Testing

@Suite("A file of settings")
struct DotEnvTests {
    @Test("is read as docker compose reads it")
    func settings() throws {
        let text = """
            # A comment
            A=1
              export B = two words   # behind it
            C="in # quotes"   # behind them
            D='single'
            E=no#comment
            F=
            """
        #expect(
            try DotEnv.settings(text) == [
                "A": "1", "B": "two words", "C": "in # quotes", "D": "single", "E": "no#comment", "F": ""
            ])
    }

    @Test(
        "is refused with the line where it is no setting",
        arguments: [
            ("A=1\nB", "line 2 is not"), ("export", "line 1 is not"), ("A B=1", "line 1 is not"),
            ("\n1A=x", "line 2 is not"), ("A=\"x\" y", "line 1: behind"), ("A='x", "line 1: behind")
        ])
    func refused(text: String, words: String) {
        let error = #expect(throws: ComposeError.self) { try DotEnv.settings(text) }
        #expect(error?.description.hasPrefix(words) == true)
    }

    @Test("may be absent; one that cannot be read is not taken for that, and odd bytes in a comment hide nothing")
    func files() throws {
        let home = try TemporaryDirectory()
        #expect(try DotEnv.read(home.file("none")) == [:])
        try FileManager.default.createDirectory(atPath: home.file("directory"), withIntermediateDirectories: true)
        #expect(throws: ComposeError.self) { try DotEnv.read(home.file("directory")) }
        try Data("# f\u{FF}r".utf8 + [0xFC] + "\nA=1\n".utf8).write(to: URL(filePath: home.file("latin")))
        #expect(try DotEnv.read(home.file("latin")) == ["A": "1"])
    }
}
