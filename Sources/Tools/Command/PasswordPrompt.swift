import ArgumentParser
import Foundation

/// Reads a new password, twice and without echo at a terminal, otherwise once from standard input.
enum PasswordPrompt {
    /// Bytes of a line: far more than a password may have.
    private static let bytesMax = 1024

    static func read(for username: String) throws -> String {
        guard isatty(STDIN_FILENO) == 1 else { return try line() }
        let first = try hidden("Password for \(username): ")
        guard try hidden("Once more: ") == first else { throw ValidationError("The two differ.") }
        return first
    }

    private static func hidden(_ prompt: String) throws -> String {
        var before = termios()
        guard tcgetattr(STDIN_FILENO, &before) == 0 else { throw ValidationError("The terminal cannot be set.") }
        var quiet = before
        // Without ISIG: Ctrl-C is a character of the line, and no signal leaves the terminal without its echo.
        quiet.c_lflag &= ~tcflag_t(ECHO | ISIG)
        guard tcsetattr(STDIN_FILENO, TCSAFLUSH, &quiet) == 0 else {
            throw ValidationError("The terminal cannot be set.")
        }
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
            FileHandle.standardError.write(Data("\n".utf8))
        }
        // Not before: what was typed until now is thrown away with the echo.
        FileHandle.standardError.write(Data(prompt.utf8))
        let text = try line()
        guard !text.utf8.contains(3) else { throw CleanExit.message("Nothing was made.") }
        return text
    }

    /// One line without its end.
    private static func line() throws -> String {
        guard let text = readLine(strippingNewline: true), text.utf8.count <= bytesMax else {
            throw ValidationError("There is no password on standard input.")
        }
        return text
    }
}
