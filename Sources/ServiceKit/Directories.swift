import Glibc

/// Directories of the project's own, made with a reason for people where that fails.
package enum Directories {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Makes a directory and those above it that are missing.
    ///
    /// - Parameter mode: of all that are made.
    package static func make(_ path: String, mode: mode_t) throws(Failure) {
        var made = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            made += part
            // With the mode as it is said, whatever the umask is.
            if mkdir(made, mode) == 0 {
                chmod(made, mode)
            } else if errno != EEXIST {
                throw Failure(
                    description: "cannot make the directory \(path): \(made): \(String(cString: strerror(errno)))")
            }
            made += "/"
        }
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw Failure(description: "cannot make the directory \(path): something else has that name")
        }
    }
}
