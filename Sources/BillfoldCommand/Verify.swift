import ArgumentParser
import Bus
import BusZMQ
import Contracts
import Foundation
import Primitives
import ServiceKit

/// Asks the wallet to check its whole ledger, a stretch at a time.
struct Verify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Checks the ledger's hash chain, every balance and the zero sum of a running set.")

    @OptionGroup var connection: BusOptions

    func run() async throws {
        let (reactor, bus) = try connection.open()
        var after: Int64 = 0
        var problems: [String] = []
        while true {
            let reply = try await bus.ask(Wallet.VerifyLedger(after: after, limit: 10_000), in: connection.context(bus))
            problems += reply.problems
            guard let next = reply.next else { break }
            after = next
        }
        let ledger = try await bus.ask(Wallet.ReadLedger(), in: connection.context(bus))
        for sum in ledger.accounts {
            print("\(sum.kind): \(sum.count) accounts, \(sum.balance.display)")
        }
        print("\(ledger.entries) entries, total \(ledger.total.display), head \(ledger.head.prefix(16))…")
        for problem in problems { print("PROBLEM: \(problem)") }
        await reactor.stop()
        guard problems.isEmpty, ledger.total.amount == 0 else { throw ExitCode.failure }
        print("the ledger is right")
    }
}

