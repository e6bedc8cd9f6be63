// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Contracts
import Primitives
import Wire

extension NewPosition {
    package init(
        latitude: Int64,
        longitude: Int64,
        time: Timestamp? = nil,
        _: Void = ()
    ) {
        self.latitude = latitude
        self.longitude = longitude
        self.time = time
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("latitude", latitude)
        writer.field("longitude", longitude)
        writer.field("time", time)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var latitude: Int64?
        var longitude: Int64?
        var time: Timestamp?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "latitude": try reader.take(&latitude, key)
            case "longitude": try reader.take(&longitude, key)
            case "time": try reader.takeOptional(&time, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            latitude: try required(latitude, "latitude"),
            longitude: try required(longitude, "longitude"),
            time: time
        )
    }
}
