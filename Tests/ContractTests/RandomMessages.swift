import Contracts
import Primitives

/// Random values of every kind that hand-coded messages hold.
extension SplitMix64 {
    mutating func bool() -> Bool { next() & 1 == 0 }

    /// Any 64 bits, small numbers and the ends of the range more often than chance has them.
    mutating func integer() -> Int64 {
        switch next() % 4 {
        case 0: Int64.random(in: -10...10, using: &self)
        case 1: [Int64.min, .min + 1, .max - 1, .max][Int(next() % 4)]
        case 2: Int64(truncatingIfNeeded: next()) >> Int64(next() % 64)
        default: Int64(truncatingIfNeeded: next())
        }
    }

    mutating func identifier<Subject>() -> Identifier<Subject> { Identifier(high: next(), low: next()) }

    mutating func optional<Value>(_ make: (inout SplitMix64) -> Value) -> Value? { bool() ? make(&self) : nil }

    mutating func time() -> Timestamp {
        Timestamp(milliseconds: Int64.random(in: -62_167_219_200_000...253_402_300_799_999, using: &self))
    }

    mutating func money() -> Money {
        let letters = (0..<3).map { _ in UInt8(ascii: "A") + UInt8(next() % 26) }
        return Money(integer(), bool() ? .usd : Currency(String(decoding: letters, as: UTF8.self))!)
    }

    /// Characters that JSON or a C interface treats specially, and others of all of Unicode but U+0000.
    mutating func text() -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<[0, 1, 7, 8, 9, 30][Int(next() % 6)] {
            switch next() % 6 {
            case 0: text.append(["\"", "\\", "/", "{", "}", "[", "]", ":", ",", "\u{7F}"][Int(next() % 10)])
            case 1: text.append(Unicode.Scalar(UInt8(1 + next() % 0x1F)))
            case 2:
                text.append(
                    contentsOf: ["☕️", "👩‍👩‍👧‍👦", "e\u{301}", "\u{2028}", "\u{FEFF}", "ﷺ", "𝄞"][Int(next() % 7)].unicodeScalars
                )
            case 3:
                if let scalar = Unicode.Scalar(UInt32(1 + next() % 0x10FFFF)) { text.append(scalar) }
            default: text.append(Unicode.Scalar(UInt8(0x20 + next() % 0x5F)))
            }
        }
        return String(text)
    }

    mutating func postPayment() -> Wallet.PostPayment {
        Wallet.PostPayment(
            payment: identifier(), customer: identifier(), card: optional { $0.identifier() }, merchant: identifier(),
            amount: money(), memo: text(), attempt: optional { $0.identifier() },
            coupon: optional { $0.identifier() })
    }

    mutating func paymentPosted() -> Wallet.PaymentPosted {
        Wallet.PaymentPosted(
            payment: identifier(), customer: identifier(), card: identifier(), merchant: identifier(), amount: money(),
            memo: text(), cardBalance: money(), entry: integer(), time: time(), coupon: optional { $0.identifier() })
    }

    mutating func recordedPayment() -> Recorded<Wallet.PaymentPosted> {
        Recorded(paymentPosted(), sequence: integer(), replayed: bool())
    }

    /// A recorded fact that has no hand-written codec of its own.
    mutating func recordedRefusal() -> Recorded<Wallet.OperationDeclined> {
        let declined = Wallet.OperationDeclined(
            operation: identifier(), ask: text(), code: text(), detail: optional { $0.text() }, time: time())
        return Recorded(declined, sequence: integer(), replayed: bool())
    }

    mutating func createPayment() -> Payments.CreatePayment {
        Payments.CreatePayment(
            charge: identifier(), customer: identifier(), card: optional { $0.identifier() }, merchant: identifier(),
            amount: money(), memo: text())
    }

    mutating func chargeCaptured() -> Payments.ChargeCaptured {
        Payments.ChargeCaptured(
            charge: identifier(), merchant: identifier(), customer: identifier(), card: identifier(), amount: money(),
            memo: text(), entry: integer(), time: time(), coupon: optional { $0.identifier() },
            discount: optional { $0.money() }, requested: optional { $0.bool() })
    }

    mutating func receipt() -> Payments.Receipt {
        Payments.Receipt(
            charge: identifier(), customer: identifier(), card: identifier(), merchant: identifier(),
            merchantName: text(), amount: money(), memo: text(), cardBalance: money(), entry: integer(), time: time(),
            coupon: optional { $0.identifier() }, discount: optional { $0.money() })
    }

    mutating func paid() -> Payments.CreatePayment.Reply {
        Payments.CreatePayment.Reply(receipt: receipt(), replayed: bool())
    }

    mutating func fix() -> Location.Fix {
        Location.Fix(
            customer: identifier(), latitude: integer(), longitude: integer(), time: optional { $0.time() })
    }

    mutating func updatePosition() -> Location.UpdatePosition {
        let fix = fix()
        return Location.UpdatePosition(
            customer: fix.customer, latitude: fix.latitude, longitude: fix.longitude, time: fix.time)
    }

    mutating func updatePositions() -> Location.UpdatePositions {
        Location.UpdatePositions(fixes: (0..<next() % 4).map { _ in fix() })
    }
}
