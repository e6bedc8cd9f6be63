import ArgumentParser
import Foundation
import ServiceKit
import Supervision

/// The data and the settings of a set that does not run.
struct DataPlace: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The set's data directory. Default: that of 'billfold up' from here, which is BILLFOLD_DATA or .billfold/data beside the "
                + "compose file; without a compose file, BILLFOLD_DATA or ~/.local/share/billfold.",
            valueName: "directory"))
    var data: String?

    /// The shell's, and those of `.env`, as `billfold up` reads them: files of keys are named from the compose file on.
    func settings() throws -> [String: String] {
        let shell = ProcessInfo.processInfo.environment
        // There may be none, as where systemd runs the set.
        guard let project = try Project.nearest() else { return shell }
        var settings = project.environment(shell)
        for (name, path) in settings where name.hasSuffix("_KEY_FILE") && !path.isEmpty {
            settings[name] = project.absolute(path)
        }
        return settings
    }

    func directory(_ config: HostConfig) throws -> String {
        if let data {
            guard !data.isEmpty else { throw CommandFailure.usage("--data is empty") }
            return absolute(data)
        }
        let project = try Project.nearest()
        return project?.directories(ProcessInfo.processInfo.environment).data ?? absolute(config.dataDirectory)
    }

    /// The address of PostgreSQL; nil where the set keeps files.
    func store() throws -> String? {
        try HostConfig.storeAddress(settings()["BILLFOLD_STORE"], named: "BILLFOLD_STORE")
    }
}
