import ArgumentParser
import Audit
import Bus
import BusZMQ
import Checks
import Contracts
import Foundation
import Primitives
import ServiceKit

/// Holds what all services keep against each other.
struct Verify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Checks the ledger and every invariant over the data of a running set.",
        discussion: """
            Reads the ledger with its hash chain, all facts of all services, and all receipts over the bus, and compares \
            them: one receipt for each payment, one entry for each fact, no coupon used too often, no service ahead of \
            another's log. The set may go on meanwhile: what happens after the beginning is checked as far as it has \
            arrived. Paused services are checked, too.

            With --backup the ledger has to have the head that the backup's manifest names: what happened before the backup \
            was neither changed nor cut off. Copies of manifests on another machine show what the machine itself may hide.

            \(ExitStatus.help(
                "every statement holds", no: "a statement does not hold; what is wrong is named",
                unreachable: "no set runs, or a service does not answer: nothing is known"))

            Examples:
              billfold verify
              billfold verify --backup /var/backups/billfold/2026-11-21
              billfold verify --json | jq '.checks[] | select(.passed | not)'
            """)

    @Flag(help: "Prints one JSON object instead.")
    var json = false

    @Option(
        help: ArgumentHelp("A backup whose head of the ledger has to be in it still.", valueName: "directory"),
        completion: .directory)
    var backup: String?

    @OptionGroup var connection: BusOptions

    func run() async throws {
        let anchor = try backup.map(anchor)
        let (reactor, bus) = try connection.open()
        let outcome: Result<(Snapshot, Wallet.ReadLedger.Reply), any Error>
        do {
            let bus = try await PausedServices.passing(bus)
            let snapshot = try await SnapshotReader(bus, anchor: anchor).read()
            outcome = .success((snapshot, try await bus.ask(Wallet.ReadLedger(), in: connection.context(bus))))
        } catch {
            outcome = .failure(error)
        }
        await reactor.stop()
        switch outcome {
        case .failure(let error):
            let why = (error as? Fault)?.words ?? "\(error)"
            throw CommandFailure.unreachable("the set could not be read, so nothing is known of its money: \(why)")
        case .success(let (snapshot, ledger)):
            let (checks, isWhole) = (AuditChecks.all(snapshot), snapshot.silence == nil)
            let times = snapshot.ledger.wrongTimes
            if json {
                try printJSON(checks, times, isWhole, ledger)
            } else {
                printText(checks, times, isWhole, ledger, anchor)
            }
            guard checks.allSatisfy(\.passed) else { throw ExitStatus.no.code }
            guard isWhole else {
                throw CommandFailure.unreachable(
                    "payments does not answer for its charges: whether each payment has its receipt is not known")
            }
        }
    }

    private func anchor(of directory: String) throws -> Wallet.Anchor {
        let manifest: BackupManifest
        do throws(BackupRestorer.Trouble) { manifest = try BackupRestorer.manifest(of: absolute(directory)) } catch {
            throw CommandFailure.usage("\(error)")
        }
        guard let anchor = manifest.anchor else {
            throw CommandFailure.usage("\(directory) was written before ledgers had a chain over their facts")
        }
        return anchor
    }

    private func printText(
        _ checks: [MoneyVerdict.Check], _ times: [String], _ isWhole: Bool, _ ledger: Wallet.ReadLedger.Reply,
        _ anchor: Wallet.Anchor?
    ) {
        let hasColour = LoadScreen.wantsColour(STDOUT_FILENO)
        for check in checks {
            let mark = check.passed ? "ok   " : "WRONG"
            let painted = hasColour ? "\u{1B}[\(check.passed ? 32 : 31)m\(mark)\u{1B}[0m" : mark
            print("\(painted)  \(check.statement) (\(check.examined))")
            for finding in check.findings { print("       \(finding)") }
            if check.findingsTotal > check.findings.count {
                print("       and \(check.findingsTotal - check.findings.count) more")
            }
        }
        if !times.isEmpty {
            print("note   some times in the ledger cannot be right; they stay, and no money is wrong by them")
            for time in times { print("       \(time)") }
        }
        for sum in ledger.accounts { print("\(sum.kind): \(sum.count) accounts, \(sum.balance.display)") }
        print("\(ledger.entries) entries, total \(ledger.total.display), head \(ledger.head.prefix(16))…")
        if let chain = ledger.chain { print("fact \(ledger.sequence), chain \(chain)") }
        let wrong = checks.count { !$0.passed }
        if wrong == 0, let anchor, let backup {
            print("fact \(anchor.sequence), the head of \(backup), is in the ledger")
        }
        print(
            wrong == 0
                ? isWhole ? "all is right" : "what could be read is right"
                : "\(wrong) of \(checks.count) checks failed. Verifying changed nothing; docs/operations.md, \"When something is "
                    + "wrong\", says what to do next")
    }

    private func printJSON(
        _ checks: [MoneyVerdict.Check], _ times: [String], _ isWhole: Bool, _ ledger: Wallet.ReadLedger.Reply
    ) throws {
        struct Shown: Encodable {
            let passed: Bool
            let entries: Int64
            let head: String
            let sequence: Int64
            let chain: String?
            let checks: [MoneyVerdict.Check]
            let wrongTimes: [String]
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let shown = Shown(
            passed: isWhole && checks.allSatisfy(\.passed), entries: ledger.entries, head: ledger.head,
            sequence: ledger.sequence, chain: ledger.chain, checks: checks,
            wrongTimes: times)
        print(String(decoding: try encoder.encode(shown), as: UTF8.self))
    }
}
