import ArgumentParser
import Foundation
import ServiceKit
import Supervision

/// Where the data of a set is that does not run.
struct DataPlace: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The set's data directory. Default: that of 'billfold up' from here, which is BILLFOLD_DATA or .billfold/data beside the "
                + "compose file; without a compose file, BILLFOLD_DATA or ~/.local/share/billfold.",
            valueName: "directory"))
    var data: String?

    func directory(_ config: HostConfig) -> String {
        if let data { return absolute(data) }
        // There may be no compose file.
        guard let project = try? Project(file: nil) else { return absolute(config.dataDirectory) }
        return project.directories(ProcessInfo.processInfo.environment).data
    }
}
