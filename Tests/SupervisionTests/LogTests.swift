import Foundation
import Supervision
import TestKit
import Testing

@Suite("Logs of a set")
struct LogTests {
    @Test("show JSON of ours in words, and all else as it is")
    func words() {
        let ours = LogLine(
            #"{"time":"2026-11-21T10:00:00.123Z","level":"warning","service":"wallet","message":"late","after":"3"}"#)
        #expect(ours.text == "10:00:00.123 warning: late after=3")
        #expect(ours.level == .warning)
        #expect(LogLine("plain words").text == "plain words")
        #expect(LogLine(#"{"time":1}"#).text == #"{"time":1}"#)
        // Whatever a process writes, it does not command the terminal.
        #expect(LogLine("a\u{1B}[31mred\u{7F}").text == "a·[31mred·")
    }

    @Test("say why a process failed, each cause once, though it was started again and again")
    func causes() {
        func line(_ second: Int, _ level: String, _ message: String) -> String {
            #"{"time":"2026-11-21T10:00:0\#(second).123Z","level":"\#(level)","service":"a","message":"\#(message)"}"#
        }
        let tail = [
            line(1, "info", "begins"), line(1, "error", "no disk"), "billfold-a: no disk left",
            line(2, "info", "begins"), line(2, "error", "no disk"), "billfold-a: no disk left"
        ]
        #expect(LogLine.causes(in: tail) == ["error: no disk", "billfold-a: no disk left"])
        #expect(LogLine.causes(in: [line(1, "info", "begins"), line(2, "info", "waits")]) == ["info: waits"])
        #expect(LogLine.causes(in: []) == [])
    }

    @Test("have each service's name in front, and colours for terminals only")
    func layout() {
        #expect(LogLayout(["a", "wallet"], isColoured: false).line("a", LogLine("x")) == "a      | x")
        #expect(
            LogLayout(["a", "wallet"], isColoured: true).line("wallet", LogLine("x")) == "\u{1B}[32mwallet |\u{1B}[0m x"
        )
    }

    @Test("are kept by line, bounded by length and by size, one file before the last")
    func file() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("log")
        let file = try LogFile(path)
        #expect(file.take(Array("one\ntw".utf8)[...]) == ["one"])
        #expect(file.take(Array("o\n\nthree".utf8)[...]) == ["two", ""])
        #expect(file.takeRest() == ["three"])
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "one\ntwo\n\nthree\n")
        let long = [UInt8](repeating: 120, count: LogFile.lineBytesMax + 1)
        #expect(file.take(long[...]).map(\.utf8.count) == [LogFile.lineBytesMax])
        for _ in 0...(LogFile.bytesMax / LogFile.lineBytesMax) { _ = file.take(long[...]) }
        let sizes = try [directory.file("log"), directory.file("log.1")].map {
            try #require(FileManager.default.attributesOfItem(atPath: $0)[.size] as? Int)
        }
        #expect(sizes.allSatisfy { $0 > 0 && $0 <= LogFile.bytesMax })
        #expect(file.tail.count == LogFile.tailMax)
    }
}
