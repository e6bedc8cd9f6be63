import ServiceKit

/// What __name__ is told by its environment.
struct __Name__Config {
    let host: HostConfig
    let textBytesMax: Int

    static func fromEnvironment() throws -> __Name__Config {
        let host = try HostConfig.fromEnvironment()
        // BILLFOLD___NAME___TEXT_BYTES: how long a note may be.
        let textBytesMax = try host.integer("billfold.__name__.text.bytes", default: 200, in: 1...200)
        return __Name__Config(host: host, textBytesMax: Int(textBytesMax))
    }
}
