import Glibc

/// Whether a directory of sockets can be trusted: whoever may replace them reads every password on the bus.
package enum RunDirectoryCheck {
    package struct Distrust: Error, CustomStringConvertible {
        package let description: String
    }

    /// Throws when the directory is there and is a link, somebody else's (neither this user's nor root's), or writable
    /// for all. One that is not there yet will be made by the broker.
    package static func verify(_ path: String) throws {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw Distrust(description: "the run directory \(path) is not a directory")
        }
        guard status.st_uid == geteuid() || status.st_uid == 0 else {
            throw Distrust(description: "the run directory \(path) belongs to user \(status.st_uid): set BILLFOLD_RUN")
        }
        guard status.st_mode & S_IWOTH == 0 else {
            throw Distrust(description: "the run directory \(path) is writable for everybody: set BILLFOLD_RUN")
        }
    }
}
