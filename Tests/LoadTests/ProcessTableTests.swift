import Foundation
import Load
import Testing

@Suite struct ProcessTableTests {
    /// As one that was killed while another of its threads waits for a disk: it still holds its files and their locks.
    @Test func aProcessIsThereUntilItsLastThreadHasEnded() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "python3", "-c",
            "import ctypes, threading, time; threading.Thread(target=time.sleep, args=(600,)).start(); "
                + "ctypes.PyDLL(None).pthread_exit(None)"
        ]
        try process.run()
        let id = process.processIdentifier
        let table = ProcessTable(runDirectory: "/", given: ["half": id])
        let end = Date(timeIntervalSinceNow: 30)
        while state(of: id) != "Z", Date() < end { usleep(1_000) }
        #expect(state(of: id) == "Z")
        #expect(table.find("half")?.id == id)
        kill(id, SIGKILL)
        process.waitUntilExit()
        #expect(table.find("half") == nil)
    }

    private func state(of id: Int32) -> Substring? {
        let text = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)  // gone: nothing
        return text?.split(separator: ")").last?.split(separator: " ").first
    }
}
