import Primitives
import Wire

/// Values that examples are made of: the same names mean the same things in all of them.
package enum Samples {
    package static let time = Timestamp(milliseconds: 1_795_253_400_000)  // 2026-11-21T09:30:00Z
    package static let later = time + .seconds(10)
    package static let askID = "019a9c3d2c40a1a1a1a1a1a1a1a1a1a1"
    package static let envelopeID = "019a9c3d2c40b2b2b2b2b2b2b2b2b2b2"
    package static let traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    package static let customer = PartyID(high: 0x019a_9c3d_2c40_0001, low: 0xC0C0_C0C0_C0C0_C0C0)
    package static let friend = PartyID(high: 0x019a_9c3d_2c40_0002, low: 0xC1C1_C1C1_C1C1_C1C1)
    package static let merchant = PartyID(high: 0x019a_9c3d_2c40_0003, low: 0x3E3E_3E3E_3E3E_3E3E)
    package static let card = CardID(high: 0x019a_9c3d_2c40_0004, low: 0xCACA_CACA_CACA_CACA)
    package static let charge = ChargeID(high: 0x019a_9c3d_2c40_0005, low: 0xCECE_CECE_CECE_CECE)
    package static let operation = OperationID(high: 0x019a_9c3d_2c40_0006, low: 0x0909_0909_0909_0909)
    package static let hold = OperationID(high: 0x019a_9c3d_2c40_0007, low: 0x4D4D_4D4D_4D4D_4D4D)
    package static let session = SessionID(high: 0x019a_9c3d_2c40_0008, low: 0x5E5E_5E5E_5E5E_5E5E)
    package static let offer = OfferID(high: 0x019a_9c3d_2c40_000a, low: 0x0FFE_0FFE_0FFE_0FFE)
    package static let price = Money(350)
    package static let balance = Money(1650)
    /// Text that needs each kind of escape, and characters of one to four bytes.
    package static let memo = "1 × \"flat white\" \\ déjà vu\t☕️\n𝄞\u{1}"
    /// As payments writes it. Nobody else can read it.
    package static let payCode =
        "AQGanD0sQAAFzs7Ozs7Ozs4Bmpw9LEAAAcDAwMDAwMDAAZqcPSxAAATKysrKysrKygAAAaH9cRjQj20qQcewXpPR9KhiC3w55Q"
    package static let digest = String(repeating: "0123456789abcdef", count: 4)

    /// A fact's envelope, as its source publishes it and its log keeps it.
    package static func published<F: Fact>(_ fact: F, _ sequence: Int64) -> RawJSON {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("specversion", "1.0")
        writer.field("id", envelopeID)
        writer.field("source", F.type.service)
        writer.field("type", F.type.name)
        writer.field("time", time)
        writer.field("correlationid", askID)
        writer.field("causationid", askID)
        writer.field("traceparent", traceparent)
        let digits = String(sequence)
        writer.field("sequence", String(repeating: "0", count: 20 - digits.count) + digits)
        writer.key("data")
        fact.write(to: &writer)
        writer.endObject()
        return RawJSON(writer.bytes)
    }
}
