import Primitives
import Wire

// Positions come by the hundred in one message: reading them is most of what an update costs.

extension Location.Fix: HandCoded, WireValue {
    package func write(to writer: inout JSONWriter) { fastWrite(to: &writer) }
    package static func read(_ reader: inout JSONReader) throws(WireError) -> Location.Fix { try fastRead(&reader) }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("customer", customer)
        writer.field("latitude", latitude)
        writer.field("longitude", longitude)
        writer.field("time", time)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Location.Fix {
        var customer: PartyID?
        var latitude: Int64?
        var longitude: Int64?
        var time: Timestamp?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "customer": try reader.take(&customer, key)
            case "latitude": try reader.take(&latitude, key)
            case "longitude": try reader.take(&longitude, key)
            case "time": try reader.takeOptional(&time, key)
            default: throw reader.unknown(key)
            }
        }
        return Location.Fix(
            customer: try required(customer, "customer"), latitude: try required(latitude, "latitude"),
            longitude: try required(longitude, "longitude"), time: time)
    }
}

extension Location.UpdatePosition: HandCoded {
    package func fastWrite(to writer: inout JSONWriter) { fix.fastWrite(to: &writer) }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Location.UpdatePosition {
        let fix = try Location.Fix.fastRead(&reader)
        return Location.UpdatePosition(
            customer: fix.customer, latitude: fix.latitude, longitude: fix.longitude, time: fix.time)
    }
}

extension Location.UpdatePositions: HandCoded {
    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("fixes")
        writer.beginArray()
        for fix in fixes { fix.fastWrite(to: &writer) }
        writer.endArray()
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Location.UpdatePositions {
        var fixes: [Location.Fix]?
        try reader.object { key, reader throws(WireError) in
            guard case "fixes" = key else { throw reader.unknown(key) }
            guard fixes == nil else { throw WireError(.duplicateKey, path: "fixes") }
            var list: [Location.Fix] = []
            try reader.array { reader throws(WireError) in list.append(try Location.Fix.fastRead(&reader)) }
            fixes = list
        }
        return Location.UpdatePositions(fixes: try required(fixes, "fixes"))
    }
}
