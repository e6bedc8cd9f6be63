/// The version of this Billfold (semver.org). `docs/CHANGELOG.md` says what each version brought.
package enum Release {
    /// Shown by `billfold --version`, in the services' stats and in the HTTP and bus documents.
    package static let version = "1.1.0"
}
