import Bus
import Contracts
import Primitives
import Storage

/// A capture's fact in the form in which earlier versions stored it: the same values without JSON (ADR 30).
struct KeptCapture {
    let captured: Payments.ChargeCaptured
    let correlationID: String?
    let causationID: String?
    let traceparent: String?

    /// The first byte. A fact stored as a JSON object never begins with it.
    private static let mark: UInt8 = 1
    private static let hasCoupon: UInt8 = 1
    private static let hasDiscount: UInt8 = 2
    private static let wasRequested: UInt8 = 4
    /// How a string begins: absent, 32 hexadecimal digits in 16 bytes, or its length above this.
    private static let none: UInt8 = 0
    private static let digits: UInt8 = 1
    private static let plain: UInt8 = 2

    /// Replaces facts of this form by JSON, byte for byte as it was published.
    @Sendable static func makeWhole(in transaction: Transaction) throws {
        let replace = try transaction.prepare("UPDATE facts SET envelope = ? WHERE sequence = ?")
        try transaction.each("SELECT sequence, envelope FROM facts ORDER BY sequence") { row in
            let sequence = row.int64(0)
            if let kept = try KeptCapture(row.bytes(1)) { try replace.bind(kept.fact(sequence)).bind(sequence).run() }
            return true
        }
    }

    /// The envelope as it was published.
    private func fact(_ sequence: Int64) -> [UInt8] {
        Envelope.json(
            id: Payments.service + "-" + String(sequence), source: Payments.service,
            type: Payments.ChargeCaptured.type.name, time: captured.time, correlationID: correlationID,
            causationID: causationID, traceparent: traceparent, sequence: sequence
        ) { captured.write(to: &$0) }
    }

    /// Nil for a fact that is stored as JSON.
    init?(_ bytes: [UInt8]) throws(StoreFailure) {
        guard bytes.first == Self.mark else { return nil }
        var rest = Rest(bytes: bytes.dropFirst())
        let has = try rest.number(UInt8.self)
        let (charge, merchant) = (try rest.id() as ChargeID, try rest.id() as PartyID)
        let (customer, card) = (try rest.id() as PartyID, try rest.id() as CardID)
        let amount = try rest.number(Int64.self)
        guard let currency = Currency(try rest.text(3)) else { throw Rest.damaged }
        let entry = try rest.number(Int64.self)
        let time = Timestamp(milliseconds: try rest.number(Int64.self))
        let coupon: OfferID? = has & Self.hasCoupon == 0 ? nil : try rest.id()
        let discount = has & Self.hasDiscount == 0 ? nil : Money(try rest.number(Int64.self), currency)
        let memo = try rest.text(Int(try rest.number(UInt16.self)))
        captured = Payments.ChargeCaptured(
            charge: charge, merchant: merchant, customer: customer, card: card, amount: Money(amount, currency),
            memo: memo, entry: entry, time: time, coupon: coupon, discount: discount,
            requested: has & Self.wasRequested == 0 ? nil : true)
        correlationID = try Self.text(&rest)
        causationID = try Self.text(&rest)
        traceparent = try Self.text(&rest)
    }

    private static func text(_ rest: inout Rest) throws(StoreFailure) -> String? {
        switch try rest.number(UInt8.self) {
        case none: nil
        case digits: (try rest.id() as MessageID).hex
        case let length: try rest.text(Int(length - plain))
        }
    }

    /// The bytes that were not read yet.
    private struct Rest {
        static let damaged = StoreFailure.damaged("a fact in the log")

        var bytes: ArraySlice<UInt8>

        mutating func take(_ count: Int) throws(StoreFailure) -> ArraySlice<UInt8> {
            guard bytes.count >= count else { throw Self.damaged }
            defer { bytes = bytes.dropFirst(count) }
            return bytes.prefix(count)
        }

        mutating func number<Number: FixedWidthInteger>(_ type: Number.Type) throws(StoreFailure) -> Number {
            try take(Number.bitWidth / 8).reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
        }

        mutating func id<Subject>() throws(StoreFailure) -> Identifier<Subject> {
            Identifier(high: try number(UInt64.self), low: try number(UInt64.self))
        }

        mutating func text(_ count: Int) throws(StoreFailure) -> String {
            String(decoding: try take(count), as: UTF8.self)
        }
    }
}
