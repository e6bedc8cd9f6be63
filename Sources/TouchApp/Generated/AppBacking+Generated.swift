// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Primitives
import Wire

extension PayCode {
    package func write(to writer: inout JSONWriter) { fastWrite(to: &writer) }
    package static func read(_ reader: inout JSONReader) throws(WireError) -> Self { try fastRead(&reader) }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("code", code)
        writer.field("expires", expires)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var code: String?
        var expires: Timestamp?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "code": try reader.take(&code, key)
            case "expires": try reader.take(&expires, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            code: try required(code, "code"),
            expires: try required(expires, "expires")
        )
    }
}

extension CardTransaction {
    package func write(to writer: inout JSONWriter) { fastWrite(to: &writer) }
    package static func read(_ reader: inout JSONReader) throws(WireError) -> Self { try fastRead(&reader) }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("kind", kind)
        writer.field("amount", amount)
        writer.field("balance", balance)
        writer.field("time", time)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var kind: String?
        var amount: Money?
        var balance: Money?
        var time: Timestamp?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "kind": try reader.take(&kind, key)
            case "amount": try reader.take(&amount, key)
            case "balance": try reader.take(&balance, key)
            case "time": try reader.take(&time, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            kind: try required(kind, "kind"),
            amount: try required(amount, "amount"),
            balance: try required(balance, "balance"),
            time: try required(time, "time")
        )
    }
}

extension Rewards {
    package func write(to writer: inout JSONWriter) { fastWrite(to: &writer) }
    package static func read(_ reader: inout JSONReader) throws(WireError) -> Self { try fastRead(&reader) }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("stars", stars)
        writer.field("joined", joined)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var stars: Int?
        var joined: Bool?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "stars": try reader.take(&stars, key)
            case "joined": try reader.take(&joined, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            stars: try required(stars, "stars"),
            joined: try required(joined, "joined")
        )
    }
}

extension Store {
    package func write(to writer: inout JSONWriter) { fastWrite(to: &writer) }
    package static func read(_ reader: inout JSONReader) throws(WireError) -> Self { try fastRead(&reader) }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("name", name)
        writer.field("distanceMetres", distanceMetres)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var name: String?
        var distanceMetres: Int?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "name": try reader.take(&name, key)
            case "distanceMetres": try reader.take(&distanceMetres, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            name: try required(name, "name"),
            distanceMetres: try required(distanceMetres, "distanceMetres")
        )
    }
}
