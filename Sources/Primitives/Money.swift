import Wire

/// An ISO 4217 currency code: three capital letters.
package struct Currency: Hashable, Sendable {
    /// The letters, one per byte, first letter highest.
    private let packed: UInt32

    package static let usd = Currency(unchecked: "USD")

    package init?(letters: UnsafeBufferPointer<UInt8>) {
        guard letters.count == 3 else { return nil }
        var packed: UInt32 = 0
        for letter in letters {
            guard letter &- UInt8(ascii: "A") < 26 else { return nil }
            packed = packed << 8 | UInt32(letter)
        }
        self.packed = packed
    }

    package init?(_ code: String) {
        guard let currency = Array(code.utf8).withUnsafeBufferPointer(Currency.init(letters:)) else { return nil }
        self = currency
    }

    private init(unchecked code: StaticString) {
        packed = (0..<3).reduce(0) { $0 << 8 | UInt32(code.utf8Start[$1]) }
    }

    package var code: String {
        String(unsafeUninitializedCapacity: 3) { letters in
            for index in 0..<3 { letters[index] = letter(index) }
            return 3
        }
    }

    fileprivate func letter(_ index: Int) -> UInt8 { UInt8(truncatingIfNeeded: packed >> (16 - 8 * UInt32(index))) }
}

extension Currency: WireValue, Codable {
    package func write(to writer: inout JSONWriter) {
        writer.plainString(countMax: 3) { destination in
            for index in 0..<3 { destination[index] = letter(index) }
            return 3
        }
    }

    package static func read(_ reader: inout JSONReader) throws(WireError) -> Currency {
        if let text = try reader.plainText() {
            guard let currency = Currency(letters: text) else { throw notACurrency }
            return currency
        }
        return try reader.text { text throws(WireError) in
            guard let currency = Currency(letters: text.utf8) else { throw notACurrency }
            return currency
        }
    }

    package init(from decoder: any Decoder) throws {
        guard let currency = Currency(try decoder.singleValueContainer().decode(String.self)) else {
            throw Self.notACurrency
        }
        self = currency
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(code)
    }

    private static var notACurrency: WireError {
        WireError(.invalidValue(why: "must be an ISO 4217 code such as \"USD\""))
    }
}

/// An amount of money in minor units (cents for USD). On the wire `{"amount":150,"currency":"USD"}`.
package struct Money: Hashable, Sendable {
    /// In minor units; negative only where a text says so (a merchant's correction, a sum of entries).
    package let amount: Int64
    package let currency: Currency

    package init(_ amount: Int64, _ currency: Currency = .usd) {
        self.amount = amount
        self.currency = currency
    }

    /// `$16.50`, `-$0.05`, `12.00 EUR`.
    package var display: String {
        let cents = amount.magnitude % 100
        let number = "\(amount.magnitude / 100).\(cents < 10 ? "0" : "")\(cents)"
        let sign = amount < 0 ? "-" : ""
        return currency == .usd ? "\(sign)$\(number)" : "\(sign)\(number) \(currency.code)"
    }
}

extension Money: FastCoded, WireValue {
    package func write(to writer: inout JSONWriter) { fastWrite(to: &writer) }
    package static func read(_ reader: inout JSONReader) throws(WireError) -> Money { try fastRead(&reader) }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("amount", amount)
        writer.field("currency", currency)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Money {
        var amount: Int64?
        var currency: Currency?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "amount": try reader.take(&amount, key)
            case "currency": try reader.take(&currency, key)
            default: throw reader.unknown(key)
            }
        }
        return Money(try required(amount, "amount"), try required(currency, "currency"))
    }
}
