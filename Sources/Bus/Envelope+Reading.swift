import Contracts
import Glibc
import Primitives
import Wire

extension Envelope {
    /// Reads one frame. Attributes that are not named here are passed over, as CloudEvents asks of receivers.
    package convenience init(json frame: [UInt8]) throws(WireError) {
        guard frame.count <= Self.bytesMax else { throw WireError(.outOfRange, path: "envelope") }
        let places = try JSONReader.read(frame) { reader throws(WireError) in try EnvelopePlaces(&reader) }
        self.init(places, in: frame)
    }

    /// What an asker wants of an answer: whether it is a reply or a refusal, and its `data`. The frame is read as strictly
    /// as any; only nothing else of it is kept.
    ///
    /// - Parameter body: reads the `data` of a reply where it lies, if `type` came before it. So it is in all that the bus's own
    ///   services write, and nothing of it is gone over twice.
    static func readAnswer(
        _ frame: [UInt8], reading body: (inout JSONReader) throws(WireError) -> Void
    ) throws(WireError) -> (isReply: Bool, data: ArraySlice<UInt8>) {
        guard frame.count <= Self.bytesMax else { throw WireError(.outOfRange, path: "envelope") }
        return try JSONReader.read(frame) { reader throws(WireError) in
            let places = try EnvelopePlaces(&reader) { type, reader throws(WireError) in
                guard let type, isReply(type, reader) else { return try reader.pass() }
                _ = try reader.peek()
                let start = reader.offset
                try body(&reader)
                return start..<reader.offset
            }
            return (isReply(places.type, reader), places.data(of: frame))
        }
    }

    private static func isReply(_ type: JSONString, _ reader: JSONReader) -> Bool {
        reader.plain(type)?.ends(with: ".reply") ?? false
    }
}

/// Where an envelope's attributes lie in its frame: what is not wanted of them is never copied.
struct EnvelopePlaces: Sendable {
    let id, source, type: JSONString
    private(set) var time: Timestamp?
    private(set) var correlationID: JSONString?
    private(set) var causationID: JSONString?
    private(set) var traceparent: JSONString?
    private(set) var expiryTime: Timestamp?
    private(set) var idempotencyKey: JSONString?
    private(set) var sequence: Int64?
    private(set) var actor: Actor?
    private var data: Range<Int>?

    /// - Parameter readData: goes over `data` and says where it lies; is given the type where that came before.
    init(
        _ reader: inout JSONReader,
        data readData: (JSONString?, inout JSONReader) throws(WireError) -> Range<Int> = { try $1.pass() }
    ) throws(WireError) {
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
                data = try readData(type, &reader)
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

    /// The type, without memory of its own where it is one of the catalogue's.
    func typeName(in text: [UInt8]) -> String {
        text.withUnsafeBufferPointer { text in type.plain(in: text).flatMap { KnownTypes.name($0) } }
            ?? type.string(in: text)
    }

    /// What has no `data` has an empty one.
    func data(of frame: [UInt8]) -> ArraySlice<UInt8> { data.map { frame[$0] } ?? Self.noData }

    private static let noData = Array("{}".utf8)[...]
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

extension UnsafeBufferPointer<UInt8> {
    fileprivate func ends(with ending: StaticString) -> Bool {
        count >= ending.utf8CodeUnitCount
            && suffix(ending.utf8CodeUnitCount)
                .elementsEqual(UnsafeBufferPointer(start: ending.utf8Start, count: ending.utf8CodeUnitCount))
    }
}

/// The names of all types in the catalogue, so that one that comes in needs no memory of its own.
private enum KnownTypes {
    private struct Name {
        let utf8: UnsafePointer<UInt8>
        let text: String
    }

    /// The names by their length, one length behind the other, and where those of each length end. Never freed, and not in an
    /// array: looking at one that is not wanted would count its owners.
    ///
    /// `unsafe`, as the compiler does not see that nobody writes to that memory once it is made.
    private nonisolated(unsafe) static let table: (names: UnsafePointer<Name>, ends: [Int]) = {
        let asks = Catalogue.asks.flatMap { [$0.type.name, $0.type.reply, $0.type.fault] }
        let all = Set(asks + Catalogue.facts.map { $0.type.name }).sorted { $0.utf8.count < $1.utf8.count }
        let names = UnsafeMutablePointer<Name>.allocate(capacity: all.count)
        var ends = [Int](repeating: 0, count: 1 + (all.last?.utf8.count ?? 0))
        for (place, name) in all.enumerated() {
            let utf8 = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: name.utf8.count)
            _ = utf8.initialize(from: name.utf8)
            (names + place).initialize(to: Name(utf8: utf8.baseAddress!, text: name))
            ends[name.utf8.count] = place + 1
        }
        for length in ends.indices.dropFirst() where ends[length] == 0 { ends[length] = ends[length - 1] }
        return (UnsafePointer(names), ends)
    }()

    static func name(_ utf8: UnsafeBufferPointer<UInt8>) -> String? {
        guard let start = utf8.baseAddress, (1..<table.ends.count).contains(utf8.count) else { return nil }
        for place in table.ends[utf8.count - 1]..<table.ends[utf8.count]
        where memcmp(table.names[place].utf8, start, utf8.count) == 0 {
            return table.names[place].text
        }
        return nil
    }
}
