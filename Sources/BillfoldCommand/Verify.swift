import ArgumentParser
import Audit
import Bus
import BusZMQ
import Contracts
import Foundation
import LoadReport
import Primitives
import ServiceKit

/// Holds what all services keep against each other.
struct Verify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Checks the ledger and every invariant over the data of a running set.",
        discussion: """
            Reads the ledger with its hash chain, all facts of all services, and all receipts, over the bus, and holds them \
            against each other: one receipt for each payment, one entry for each fact, no coupon used too often, no service \
            that knows of what another has forgotten. The set may go on meanwhile: what happens after the beginning is \
            looked at only as far as it has arrived.

            \(ExitStatus.help(
                "every statement holds", no: "a statement does not hold; what is wrong is named",
                unreachable: "no set runs, or a service does not answer: nothing is known"))

            Examples:
              billfold verify
              billfold verify --json | jq '.checks[] | select(.passed | not)'
            """)

    @Flag(help: "Prints one JSON object instead.")
    var json = false

    @OptionGroup var connection: BusOptions

    func run() async throws {
        let (reactor, bus) = try connection.open()
        let outcome: Result<([MoneyVerdict.Check], Wallet.ReadLedger.Reply), any Error>
        do {
            let books = try await BooksReader(bus).read()
            outcome = .success(
                (AuditChecks.all(books), try await bus.ask(Wallet.ReadLedger(), in: connection.context(bus))))
        } catch {
            outcome = .failure(error)
        }
        await reactor.stop()
        switch outcome {
        case .failure(let error):
            let why = (error as? Fault)?.words ?? "\(error)"
            throw CommandFailure.unreachable("the set could not be read, so nothing is known of its money: \(why)")
        case .success(let (checks, ledger)):
            if json { try show(checks, ledger) } else { tell(checks, ledger) }
            guard checks.allSatisfy(\.passed) else { throw ExitStatus.no.code }
        }
    }

    private func tell(_ checks: [MoneyVerdict.Check], _ ledger: Wallet.ReadLedger.Reply) {
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
        for sum in ledger.accounts { print("\(sum.kind): \(sum.count) accounts, \(sum.balance.display)") }
        print("\(ledger.entries) entries, total \(ledger.total.display), head \(ledger.head.prefix(16))…")
        let wrong = checks.count { !$0.passed }
        print(
            wrong == 0
                ? "all is right"
                : "\(wrong) of \(checks.count) checks failed. Verifying changed nothing; docs/operations.md, \"When something is "
                    + "wrong\", says what to do next")
    }

    private func show(_ checks: [MoneyVerdict.Check], _ ledger: Wallet.ReadLedger.Reply) throws {
        struct Shown: Encodable {
            let passed: Bool
            let entries: Int64
            let head: String
            let checks: [MoneyVerdict.Check]
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let shown = Shown(
            passed: checks.allSatisfy(\.passed), entries: ledger.entries, head: ledger.head, checks: checks)
        print(String(decoding: try encoder.encode(shown), as: UTF8.self))
    }
}

