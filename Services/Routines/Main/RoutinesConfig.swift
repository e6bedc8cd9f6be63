import ServiceKit

/// What routines is told by its environment.
struct RoutinesConfig {
    let host: HostConfig
    let textBytesMax: Int

    static func fromEnvironment() throws -> RoutinesConfig {
        let host = try HostConfig.fromEnvironment()
        // BILLFOLD_ROUTINES_TEXT_BYTES: how long a note may be.
        let textBytesMax = try host.integer("billfold.routines.text.bytes", default: 200, in: 1...200)
        return RoutinesConfig(host: host, textBytesMax: Int(textBytesMax))
    }
}
