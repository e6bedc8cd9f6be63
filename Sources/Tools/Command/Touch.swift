import ArgumentParser
import Foundation
import TouchApp
import TouchTerminal

/// The touch app in a terminal.
struct TouchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "touch",
        abstract: "Runs the touch app in a terminal: a phone drawn with characters, or a script and its transcript.",
        discussion: """
            A script has one command a line: touch(1,5), menu1() to menu5(), topLeftCmd(), topRightCmd(), display(), \
            and of the simulator: scan (a merchant scans the pay code), again (the last touch, sent twice), refresh, \
            expect and a screen's name, service well, service down or service mute. A # begins a comment.

            At the terminal, which has to have \(ScreenDrawing.columnsMin) columns and \(ScreenDrawing.rowsMin) rows:

            \(KeyReader.help)

            \(ExitStatus.help(
                "the script's expectations were met; at the terminal, it was ended", no: "an expectation was not met",
                unreachable: "no gateway answers"))
            """)

    @Flag(name: .customLong("in-memory"), help: "Needs no running set: one customer in memory, with the PIN 1234.")
    var inMemory = false

    @OptionGroup var gateway: GatewayOptions
    @OptionGroup var connection: BusOptions

    @Option(help: "A customer of the set, whose password is read from BILLFOLD_PASSWORD. Default: a new demo customer.")
    var username: String?

    @Option(help: "A file of commands, - for standard input. Without a terminal, standard input.")
    var script: String?

    @Option(help: "The demo customer, with the PIN 1234. demo: a card with $16.50; no-card: none.")
    var profile = MemoryBacking.Profile.demo

    func validate() throws {
        guard !inMemory || username == nil else {
            throw ValidationError("In memory there is one customer, without a name.")
        }
        guard !inMemory || gateway.http == nil else {
            throw ValidationError("In memory there is no gateway: --in-memory and --http exclude each other.")
        }
    }

    private var device: any TouchedDevice {
        get throws {
            if inMemory { return MemoryDevice(profile) }
            let http = try gateway.address(of: connection.address())
            guard let username else { return try GatewayDevice(.demo(profile), at: http, over: connection) }
            guard let password = ProcessInfo.processInfo.environment["BILLFOLD_PASSWORD"] else {
                throw CommandFailure.usage("The password of \(username) has to be in BILLFOLD_PASSWORD.")
            }
            return try GatewayDevice(.customer(username: username, password: password), at: http, over: connection)
        }
    }

    func run() async throws {
        // What is wrong with a script is said before anything is opened.
        let parsed = isInteractive ? nil : try parse()
        let session = TouchSession(try device)
        guard let parsed else { return try await TouchTerminalLoop(session: session).run() }
        let unmet = await Transcript(of: session).run(parsed) { piece in print(piece, terminator: "") }
        guard unmet == 0 else { throw CommandFailure.no("\(unmet) of the script's expectations were not met.") }
    }

    private var isInteractive: Bool { script == nil && isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

    private func parse() throws -> Script {
        let text = try text()
        do { return try Script(text) } catch {
            throw CommandFailure.usage("\(script.flatMap { $0 == "-" ? nil : $0 } ?? "standard input"), \(error)")
        }
    }

    private func text() throws -> String {
        let data: Data
        if let script, script != "-" {
            do { data = try Data(contentsOf: URL(fileURLWithPath: script)) } catch {
                throw CommandFailure.usage("\(script) cannot be read.")
            }
        } else {
            data = FileHandle.standardInput.readDataToEndOfFile()
        }
        guard let text = String(validating: data, as: UTF8.self) else {
            throw CommandFailure.usage("The script is not UTF-8.")
        }
        return text
    }
}

extension MemoryBacking.Profile: ExpressibleByArgument {}

/// A person at the terminal.
private struct TouchTerminalLoop {
    let session: TouchSession

    func run() async throws {
        guard RawTerminal.enter() else { throw CommandFailure.no("The terminal cannot be set to raw mode.") }
        defer { RawTerminal.leave() }
        var cursor = Cursor()
        var keys = KeyReader()
        var said = ""
        var isHelpShown = false
        while true {
            let display = await session.shown
            let silence = await session.silence
            let page = TerminalPage(RawTerminal.size)
            let lines =
                isHelpShown
                ? page.help
                : page.lines(display, cursor: cursor.cell(on: display), said: silence.isEmpty ? said : silence)
            RawTerminal.show(lines.joined(separator: "\n"))
            // What changes elsewhere is shown within a second, and so is another size of the terminal.
            guard let bytes = RawTerminal.read(atMost: .seconds(1)) else { return }
            for action in keys.read(bytes) {
                if action == .quit { return }
                // Any key leaves the help, and does nothing else.
                guard !isHelpShown, action != .help else {
                    isHelpShown.toggle()
                    continue
                }
                guard let step = cursor.step(for: action, on: await session.shown) else { continue }
                said = await session.perform(step)
            }
        }
    }
}
