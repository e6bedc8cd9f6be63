import Foundation
import Load
import Testing

@Suite struct ProcessTableTests {
    /// As one that was killed while another of its threads waits for a disk: it still holds its files and their locks.
    @Test func aProcessIsThereUntilItsLastThreadHasEnded() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", Self.halfEnded]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let id = process.processIdentifier
        let table = ProcessTable(runDirectory: "/", given: ["half": id])
        #expect(!output.fileHandleForReading.availableData.isEmpty)
        #expect(state(of: id) == "Z")
        #expect(table.find("half")?.id == id)
        kill(id, SIGKILL)
        process.waitUntilExit()
        #expect(table.find("half") == nil)
    }

    /// Ends its first thread. Its second one says so once the process is a zombie, and stays.
    private static let halfEnded = """
        import ctypes, threading
        def stay():
            while open("/proc/self/stat").read().rsplit(")", 1)[1].split()[0] != "Z": pass
            print("ended", flush=True)
            threading.Event().wait()
        threading.Thread(target=stay).start()
        ctypes.CDLL(None).pthread_exit(None)
        """

    private func state(of id: Int32) -> Substring? {
        let text = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)  // gone: nothing
        return text?.split(separator: ")").last?.split(separator: " ").first
    }
}
