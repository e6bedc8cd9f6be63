import Foundation
import Synchronization
import TouchTerminal

/// The terminal without line editing and echo, on a screen of its own; given back as it was on every way out.
enum RawTerminal {
    /// How the terminal was. Written once, before the handlers that read it are set.
    nonisolated(unsafe) private static var before = termios()
    private static let isRaw = Atomic(false)

    private static let enterText: StaticString = "\u{1B}[?1049h\u{1B}[?25l"
    private static let leaveText: StaticString = "\u{1B}[?25h\u{1B}[?1049l"

    /// Whatever ends a process and can be caught.
    private static let signals = [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE]

    /// False where standard input is no terminal.
    static func enter() -> Bool {
        guard tcgetattr(STDIN_FILENO, &before) == 0 else { return false }
        var raw = before
        cfmakeraw(&raw)
        // Ctrl-C ends the command also while it waits for an answer. Nothing would draw the screen anew behind Ctrl-Z.
        raw.c_lflag |= tcflag_t(ISIG)
        raw.c_cc.10 = 0  // VSUSP
        atexit { RawTerminal.leave() }
        for number in signals {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { number in
                // tcsetattr, write and raise may be called here; SA_RESETHAND lets the second signal end the process.
                RawTerminal.leave()
                raise(number)
            }
            action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
            sigaction(number, &action, nil)
        }
        isRaw.store(true, ordering: .sequentiallyConsistent)
        guard tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw) == 0 else { return false }
        put(enterText)
        return true
    }

    static func leave() {
        guard isRaw.exchange(false, ordering: .sequentiallyConsistent) else { return }
        put(leaveText)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
    }

    /// Draws anew from the top; in raw mode a line end needs its carriage return.
    static func show(_ text: String) {
        var bytes: [UInt8] = Array("\u{1B}[H\u{1B}[2J".utf8)
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\r")) }
            bytes.append(byte)
        }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { return }
            rest = rest.dropFirst(max(0, count))
        }
    }

    /// Columns and rows; the least that is needed where the terminal does not say.
    static var size: TerminalPage.Size {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return TerminalPage.Size(columns: ScreenDrawing.columnsMin, rows: ScreenDrawing.rowsMin)
        }
        return TerminalPage.Size(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    /// Waits for keys, empty where none comes in time; nil at the end of input.
    static func read(atMost patience: Duration) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 64)
        while true {
            var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            if poll(&input, 1, Int32(patience / .milliseconds(1))) == 0 { return [] }
            let count = Foundation.read(STDIN_FILENO, &buffer, buffer.count)
            if count > 0 { return Array(buffer.prefix(count)) }
            guard count < 0, errno == EINTR else { return nil }
        }
    }

    private static func put(_ text: StaticString) { _ = write(STDOUT_FILENO, text.utf8Start, text.utf8CodeUnitCount) }
}
