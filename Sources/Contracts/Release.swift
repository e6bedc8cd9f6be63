/// Which Billfold this is.
package enum Release {
    /// As `billfold --version`, the services' stats and the HTTP document tell it (semver.org).
    package static let version = "1.0.0"
}
