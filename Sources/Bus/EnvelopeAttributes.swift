import Primitives
import Wire

/// Where an envelope's attributes lie in its text.
struct EnvelopeAttributes: Sendable {
    let id, source, type: JSONString
    private(set) var time: Timestamp?
    private(set) var correlationID: JSONString?
    private(set) var causationID: JSONString?
    private(set) var traceparent: JSONString?
    private(set) var expiryTime: Timestamp?
    private(set) var idempotencyKey: JSONString?
    private(set) var sequence: Int64?
    private(set) var actor: Actor?
    /// Nil where there is none.
    private(set) var data: Range<Int>?

    /// Bytes of each text that an ask hands on to its answer and to the facts that follow from it.
    static let textBytesMax = 255

    /// Whether an ask of these attributes can be answered, and told of by facts.
    var canBeHandedOn: Bool {
        max(id.count, source.count, type.count) <= Self.textBytesMax
            && max(correlationID?.count ?? 0, causationID?.count ?? 0, traceparent?.count ?? 0) <= Self.textBytesMax
    }

    init(_ reader: inout JSONReader) throws(WireError) {
        var specversion: JSONString?
        var id: JSONString?
        var source: JSONString?
        var type: JSONString?
        var time: Timestamp?
        var correlationID: JSONString?
        var causationID: JSONString?
        var traceparent: JSONString?
        var expiryTime: Timestamp?
        var idempotencyKey: JSONString?
        var sequence: Int64?
        var actor: Actor?
        var data: Range<Int>?
        var others: Set<String> = []
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "specversion": try reader.take(&specversion, key)
            case "id": try reader.take(&id, key)
            case "source": try reader.take(&source, key)
            case "type": try reader.take(&type, key)
            case "time": try reader.takeOptional(&time, key)
            case "correlationid": try reader.takeOptional(&correlationID, key)
            case "causationid": try reader.takeOptional(&causationID, key)
            case "traceparent": try reader.takeOptional(&traceparent, key)
            case "expirytime": try reader.takeOptional(&expiryTime, key)
            case "idempotencykey": try reader.takeOptional(&idempotencyKey, key)
            case "sequence": try reader.takeOptional(&sequence, key, why: "must be a number", wholeNumber)
            case "actor": try reader.takeOptional(&actor, key, why: "must be role:id") { Actor(utf8: $0) }
            case "data":
                guard data == nil else { throw WireError(.duplicateKey, path: "data") }
                data = try reader.pass()
            default:
                guard others.insert(key.string).inserted else { throw WireError(.duplicateKey, path: key.string) }
                _ = try reader.skip()
            }
        }
        guard reader.plain(try required(specversion, "specversion"))?.elementsEqual("1.0".utf8) == true else {
            throw WireError(.invalidValue(why: "must be \"1.0\""), path: "specversion")
        }
        self.id = try required(id, "id")
        self.source = try required(source, "source")
        self.type = try required(type, "type")
        guard !self.id.isEmpty, !self.source.isEmpty, !self.type.isEmpty else {
            throw WireError(.invalidValue(why: "must not be empty"), path: "id, source or type")
        }
        self.time = time
        self.correlationID = correlationID
        self.causationID = causationID
        self.traceparent = traceparent
        self.expiryTime = expiryTime
        self.idempotencyKey = idempotencyKey
        self.sequence = sequence
        self.actor = actor
        self.data = data
    }
}

/// Digits only: Swift would read "+5" and "-0" too.
private func wholeNumber(_ digits: UnsafeBufferPointer<UInt8>) -> Int64? {
    var value: Int64 = 0
    for byte in digits {
        let digit = byte &- UInt8(ascii: "0")
        let (shifted, high) = value.multipliedReportingOverflow(by: 10)
        let (sum, over) = shifted.addingReportingOverflow(Int64(digit))
        guard digit < 10, !high, !over else { return nil }
        value = sum
    }
    return digits.isEmpty ? nil : value
}
