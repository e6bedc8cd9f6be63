import Bus
import Contracts
import Primitives
import Storage

/// The fact of a capture as the log keeps it: the same values without JSON, a third of its bytes (ADR 30). Whole, these facts
/// were three quarters of all that payments wrote; those who read the log get them made again, byte for byte.
struct KeptCapture {
    let captured: Payments.ChargeCaptured
    let correlationID: String?
    let causationID: String?
    let traceparent: String?

    /// What a fact that is kept whole, a JSON object, never begins with.
    private static let mark: UInt8 = 1
    private static let hasCoupon: UInt8 = 1
    private static let hasDiscount: UInt8 = 2
    private static let wasRequested: UInt8 = 4
    /// How a text begins: there is none, it is 32 digits in 16 bytes, or so much longer than this.
    private static let none: UInt8 = 0
    private static let digits: UInt8 = 1
    private static let plain: UInt8 = 2
    private static let textMax = Int(UInt8.max - plain)

    init(_ captured: Payments.ChargeCaptured, causedBy context: AskContext) {
        self.captured = captured
        correlationID = context.correlationID
        causationID = context.causationID
        traceparent = context.traceparent
    }

    /// The fact as it is published.
    func fact(_ sequence: Int64) -> [UInt8] {
        Envelope.told(captured, as: sequence, at: captured.time, correlationID, causationID, traceparent)
    }

    // MARK: Written

    /// Nil for what has no place in it: then the fact is kept whole.
    var bytes: [UInt8]? {
        let texts = [correlationID, causationID, traceparent]
        guard texts.allSatisfy({ $0.map { $0.utf8.count <= Self.textMax } ?? true }), captured.requested != false,
            captured.memo.utf8.count <= Int(UInt16.max),
            captured.discount.map({ $0.currency == captured.amount.currency }) ?? true
        else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256)
        bytes.append(Self.mark)
        bytes.append(
            (captured.coupon == nil ? 0 : Self.hasCoupon) | (captured.discount == nil ? 0 : Self.hasDiscount)
                | (captured.requested == nil ? 0 : Self.wasRequested))
        Self.append(captured.charge, to: &bytes)
        Self.append(captured.merchant, to: &bytes)
        Self.append(captured.customer, to: &bytes)
        Self.append(captured.card, to: &bytes)
        Self.append(captured.amount.amount, to: &bytes)
        bytes.append(contentsOf: captured.amount.currency.code.utf8)
        Self.append(captured.entry, to: &bytes)
        Self.append(captured.time.milliseconds, to: &bytes)
        if let coupon = captured.coupon { Self.append(coupon, to: &bytes) }
        if let discount = captured.discount { Self.append(discount.amount, to: &bytes) }
        Self.append(UInt16(captured.memo.utf8.count), to: &bytes)
        bytes.append(contentsOf: captured.memo.utf8)
        for text in texts { Self.append(text, to: &bytes) }
        return bytes
    }

    private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    private static func append<Subject>(_ id: Identifier<Subject>, to bytes: inout [UInt8]) {
        append(id.high, to: &bytes)
        append(id.low, to: &bytes)
    }

    private static func append(_ text: String?, to bytes: inout [UInt8]) {
        guard let text else { return bytes.append(none) }
        if let id = MessageID(text) {
            bytes.append(digits)
            append(id, to: &bytes)
        } else {
            bytes.append(plain + UInt8(text.utf8.count))
            bytes.append(contentsOf: text.utf8)
        }
    }

    // MARK: Read

    /// Nil for a fact that is kept whole.
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

    /// What has not been read yet.
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

extension Envelope {
    /// One of payments' facts.
    static func told<F: Fact>(
        _ fact: F, as sequence: Int64, at time: Timestamp, _ correlationID: String?, _ causationID: String?,
        _ traceparent: String?
    ) -> [UInt8] {
        Envelope.json(
            id: Payments.service + "-" + String(sequence), source: Payments.service, type: F.type.name, time: time,
            correlationID: correlationID, causationID: causationID, traceparent: traceparent, sequence: sequence
        ) { fact.write(to: &$0) }
    }
}
