import Foundation
import LoadReport
import Synchronization

/// What a load test shows while it runs: one line, redrawn in place. On a terminal only.
final class LoadScreen: Sendable {
    /// Redrawing more often shows nothing that an eye could read.
    private static let interval = 0.1

    private let isLive: Bool
    private let lastShown = Mutex(0.0)

    init(isQuiet: Bool) { isLive = !isQuiet && isatty(STDERR_FILENO) == 1 }

    func show(_ progress: LoadProgress) {
        guard isLive else { return }
        let now = ProcessInfo.processInfo.systemUptime
        let isDue = lastShown.withLock { last in
            guard now - last >= Self.interval else { return false }
            last = now
            return true
        }
        if isDue { write(progress.redrawn(columns: columns, colour: Self.wantsColour(STDERR_FILENO))) }
    }

    func clear() { if isLive { write("\r\u{1B}[K") } }

    private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }

    private var columns: Int {
        var size = winsize()
        return ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
    }

    /// On terminals, unless the user has said otherwise (https://no-color.org).
    static func wantsColour(_ descriptor: Int32) -> Bool {
        isatty(descriptor) == 1 && ProcessInfo.processInfo.environment["NO_COLOR", default: ""].isEmpty
    }
}
