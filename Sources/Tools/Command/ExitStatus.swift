import ArgumentParser
import BusZMQ
import Conformance
import Contracts
import Foundation
import HTTPClient
import Load
import ServiceKit
import Shadow
import Supervision

/// What the end of a command means: one rule for all of them, decided here.
enum ExitStatus: Int32 {
    /// It is so, or it is done.
    case yes = 0
    /// It was looked at and is not so, or it was refused.
    case no = 1
    /// No set, no broker, no gateway or no service that is needed answers, or what it says cannot be printed: nothing
    /// is known.
    case unreachable = 2
    /// A wrong option or value, an unknown name, a file that cannot be opened: nothing was done. EX_USAGE of
    /// sysexits.h.
    case usage = 64

    /// The status of a command that ends with an error.
    init(of error: any Error) {
        self =
            switch error {
            case let failure as CommandFailure: failure.status
            case is ValidationError, is LoadUsageError, is ConfigError, is KeyError, is ComposeError: .usage
            case is HTTPClient.BadAddress: .usage
            case is SetClient.NoSet, is SetClient.NotAllowed, is SetClient.Broken: .unreachable
            case is HTTPClient.Unreachable, is LoadUnreachable: .unreachable
            case is CannotCheck, is ShadowSet.Failure, AskTap.Failure.noBroker, AskTap.Failure.brokerGone: .unreachable
            case AskTap.Failure.noKey: .usage
            case let fault as Fault where fault.code.status >= 500: .unreachable
            default: .no
            }
    }

    var code: ExitCode { ExitCode(rawValue) }

    /// The lines about its statuses in a command's help. Nil: the command never ends like that.
    static func help(_ yes: String, no: String? = nil, unreachable: String? = nil) -> String {
        let lines: [(ExitStatus, String?)] = [
            (.yes, yes), (.no, no), (.unreachable, unreachable),
            (.usage, "a wrong option, value or name, or a file that cannot be opened")
        ]
        return
            (["Exit status:"]
            + lines.compactMap { status, words in
                words.map { "  \("\(status.rawValue)".padding(toLength: 3, withPad: " ", startingAt: 0)) \($0)" }
            }).joined(separator: "\n")
    }

    /// Says on standard error why a command has ended, and ends the process.
    static func end(_ command: any ParsableCommand.Type, with error: any Error) -> Never {
        // What has been said already, and the parser's own: help and the version come as errors too.
        if error is ExitCode || Billfold.exitCode(for: error) == .success { Billfold.exit(withError: error) }
        let status = ExitStatus(of: error)
        complain(words(of: error))
        if error is ValidationError || error is LoadUsageError {
            FileHandle.standardError.write(Data("\(usage(of: command))\n".utf8))
        }
        exit(status.rawValue)
    }

    /// An error in one line for people, with what to do about it where that is known.
    static func words(of error: any Error) -> String {
        switch error {
        case let unreachable as HTTPClient.Unreachable:
            "\(unreachable): 'billfold up' starts a set, 'billfold ps' shows one, --http names another gateway"
        case let fault as Fault: fault.words
        case let invalid as ValidationError: invalid.message
        // Its description is a dump.
        case let file as CocoaError: file.localizedDescription
        default: "\(error)"
        }
    }

    /// As the parser ends its own errors.
    private static func usage(of command: any ParsableCommand.Type) -> String {
        let usage = Billfold.usageString(for: command)
        let name = usage.split(separator: " ").prefix { $0.first?.isLetter == true }.joined(separator: " ")
        return "Usage: \(usage)\n  See '\(name) --help' for more information."
    }
}

/// Why a command ends without a yes, in one line for people: what happened, and what to do about it.
struct CommandFailure: Error, CustomStringConvertible {
    let status: ExitStatus
    let description: String

    static func no(_ why: String) -> CommandFailure { CommandFailure(status: .no, description: why) }
    static func unreachable(_ why: String) -> CommandFailure { CommandFailure(status: .unreachable, description: why) }
    static func usage(_ why: String) -> CommandFailure { CommandFailure(status: .usage, description: why) }
}

/// One line on standard error.
func complain(_ text: String) { FileHandle.standardError.write(Data("billfold: \(text)\n".utf8)) }

extension Fault {
    /// One line for people.
    var words: String { description }
}
