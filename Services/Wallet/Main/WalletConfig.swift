import ServiceKit
import Sodium
import WalletService

/// What the wallet is told by its environment.
struct WalletConfig {
    let host: HostConfig
    let data: String
    /// Where the key of card numbers is.
    let keyFile: String
    let rules: LedgerRules
    /// Asks that the broker may have given the wallet without an answer yet; one commit takes at most 256 of them.
    let credit: Int
    /// A backup's manifest, whose head of the ledger has to be in it.
    let manifest: String?
    /// How far the clock may be ahead of the ledger's newest time at the start.
    let clockGapMax: Duration

    static func fromEnvironment() throws -> WalletConfig {
        let host = try HostConfig.fromEnvironment()
        let data = try host.dataDirectory(of: "wallet")
        // BILLFOLD_CARD_KEY_FILE: the key under which card numbers are kept; beside the data where none is named.
        let (named, own) = (host.path("billfold.card.key.file"), "\(data)/card-number.key")
        var rules = LedgerRules(
            cardNumberKey: try KeyFile.open(named: named, otherwise: own, protecting: "\(data)/ledger.sqlite"))
        // BILLFOLD_OPENING_BALANCE: on every new card, in minor units.
        rules.openingBalanceMinor = Int64(
            try host.integer("billfold.opening.balance", default: Int(rules.openingBalanceMinor), in: 0...100_000_000))
        let credit = try host.integer("billfold.wallet.credit", default: 512, in: 1...4096)
        // BILLFOLD_CLOCK_GAP_DAYS: longer than the ledger was ever left alone.
        let gapDays = try host.integer("billfold.clock.gap.days", default: 90, in: 1...36_500)
        return WalletConfig(
            host: host, data: data, keyFile: KeyFile.inUse(named: named, otherwise: own), rules: rules, credit: credit,
            manifest: host.path("billfold.ledger.anchor"), clockGapMax: .seconds(gapDays * 86_400))
    }
}
