import Bus
import Contracts
import Primitives
import Storage

/// The fact of a capture as the log keeps it: whose charge it tells of, and what its envelope says beside that.
///
/// The charge's row has all the rest and changes none of it any more, so that the fact can be made again, byte for byte, for
/// the few who read the log far from its end. Kept whole, these facts were three quarters of all that payments wrote (ADR 30).
struct KeptCapture: Equatable {
    let row: Int64
    let correlationID: String?
    let causationID: String?
    let traceparent: String?

    /// What a fact that is kept whole, a JSON object, never begins with.
    private static let mark: UInt8 = 1
    /// How the length of a text begins: there is none, it is 32 digits in 16 bytes, or so much longer than this.
    private static let none: UInt8 = 0
    private static let digits: UInt8 = 1
    private static let plain: UInt8 = 2

    init(row: Int64, causedBy context: AskContext) {
        self.row = row
        correlationID = context.correlationID
        causationID = context.causationID
        traceparent = context.traceparent
    }

    /// Nil where a text is longer than can be kept so.
    var bytes: [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(128)
        bytes.append(Self.mark)
        withUnsafeBytes(of: row.bigEndian) { bytes.append(contentsOf: $0) }
        for text in [correlationID, causationID, traceparent] {
            guard let text else {
                bytes.append(Self.none)
                continue
            }
            if let id = MessageID(text) {
                bytes.append(Self.digits)
                withUnsafeBytes(of: (id.high.bigEndian, id.low.bigEndian)) { bytes.append(contentsOf: $0) }
                continue
            }
            let utf8 = text.utf8
            guard utf8.count <= UInt8.max - Self.plain else { return nil }
            bytes.append(Self.plain + UInt8(utf8.count))
            bytes.append(contentsOf: utf8)
        }
        return bytes
    }

    /// Nil for a fact that is kept whole.
    init?(_ bytes: [UInt8]) throws(StoreFailure) {
        guard bytes.first == Self.mark else { return nil }
        var rest = bytes.dropFirst()
        func take(_ count: Int) throws(StoreFailure) -> ArraySlice<UInt8> {
            guard rest.count >= count else { throw .damaged("a kept capture") }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }
        func text() throws(StoreFailure) -> String? {
            switch try take(1)[rest.startIndex - 1] {
            case Self.none: return nil
            case Self.digits: return MessageID(bytes: try take(16))?.hex
            case let length: return String(decoding: try take(Int(length - Self.plain)), as: UTF8.self)
            }
        }
        row = try take(8).reduce(0) { $0 << 8 | Int64($1) }
        correlationID = try text()
        causationID = try text()
        traceparent = try text()
    }

    /// The fact as it was published.
    func fact(_ sequence: Int64, of charge: Charge) throws(StoreFailure) -> [UInt8] {
        guard let captured = Payments.ChargeCaptured(charge, wasRequested: charge.expires != nil) else {
            throw .damaged("the charge of fact \(sequence)")
        }
        return Envelope.told(captured, as: sequence, at: captured.time, correlationID, causationID, traceparent)
    }
}

extension Envelope {
    /// One of payments' facts.
    static func told<F: Fact>(
        _ fact: F, as sequence: Int64, at time: Timestamp, _ correlationID: String?, _ causationID: String?,
        _ traceparent: String?
    ) -> [UInt8] {
        Envelope(
            id: Payments.service + "-" + String(sequence), source: Payments.service, type: F.type.name, time: time,
            correlationID: correlationID, causationID: causationID, traceparent: traceparent, sequence: sequence,
            data: []
        ).json { fact.write(to: &$0) }
    }
}

extension Payments.ChargeCaptured {
    /// Nil unless the charge is captured.
    init?(_ charge: Charge, wasRequested: Bool) {
        guard charge.state == .captured, let card = charge.card, let entry = charge.entry, let time = charge.decided
        else { return nil }
        self.init(
            charge: charge.id, merchant: charge.merchant, customer: charge.customer, card: card,
            amount: charge.amount, memo: charge.memo, entry: entry, time: time, coupon: charge.coupon,
            discount: charge.discount, requested: wasRequested ? true : nil)
    }
}
