import ArgumentParser
import BusZMQ

/// Makes the keys of a bus between hosts.
struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "Makes the keys of a bus between hosts.",
        discussion: """
            DIR/broker is for the broker (BILLFOLD_LISTEN and BILLFOLD_KEYS), DIR/NAME for the processes on the host of that \
            name (BILLFOLD_BUS and BILLFOLD_KEYS). Keys that are there stay, so that the command adds a host to those there \
            are; the broker lets it in from then on. A host is kept out again by removing DIR/broker/known/NAME.key.

            \(ExitStatus.help("the keys are there"))

            Examples:
              billfold keys deploy-keys shop till
              BILLFOLD_LISTEN=tcp://0.0.0.0:7700 \\
                BILLFOLD_KEYS=deploy-keys/broker billfold-broker
              BILLFOLD_BUS=tcp://10.0.0.1:7700 \\
                BILLFOLD_KEYS=deploy-keys/shop billfold-offers
            """)

    @Argument(help: "Where the directories of keys are made, for this user only.")
    var directory: String

    @Argument(help: "Names of hosts, each 1 to 63 of a-z, 0-9 and ._-.")
    var names: [String]

    func run() throws {
        let made = try KeyDirectory.make(directory, peers: names)
        for directory in made { print("made \(directory)") }
        if made.isEmpty { print("all of them are there already") }
    }
}
