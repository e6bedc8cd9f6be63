import Shadow
import Testing

@Suite("the settings of a process that is tried beside a set")
struct SettingsApartTests {
    @Test("lead neither to its data and bus nor to people")
    func dropped() {
        let given = [
            "BILLFOLD_STORE": "postgres://h/b", "BILLFOLD_BUS": "nats://h", "BILLFOLD_NATS_CA_FILE": "/ca",
            "BILLFOLD_LEDGER_ANCHOR": "/head", "BILLFOLD_SMTP": "h:25", "BILLFOLD_SMTP_FROM": "a@b.c",
            "BILLFOLD_DATA": "/live", "BILLFOLD_CARD_KEY_FILE": "/key", "BILLFOLD_OPENING_BALANCE": "5", "PATH": "/bin"
        ]
        let apart = SettingsApart.environment(with: ["BILLFOLD_DATA": "/own"], of: given)
        #expect(
            apart == [
                "BILLFOLD_DATA": "/own", "BILLFOLD_CARD_KEY_FILE": "/key", "BILLFOLD_OPENING_BALANCE": "5",
                "PATH": "/bin"
            ])
    }
}
