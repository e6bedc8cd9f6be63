// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Contracts
import Primitives
import Wire

extension TouchBody {
    package init(
        x: Int,
        y: Int,
        touchId: String? = nil,
        _: Void = ()
    ) {
        self.x = x
        self.y = y
        self.touchId = touchId
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("x", x)
        writer.field("y", y)
        writer.field("touchId", touchId)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var x: Int?
        var y: Int?
        var touchId: String?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "x": try reader.take(&x, key)
            case "y": try reader.take(&y, key)
            case "touchId": try reader.takeOptional(&touchId, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            x: try required(x, "x"),
            y: try required(y, "y"),
            touchId: touchId
        )
    }
}

extension CommandBody {
    package init(
        touchId: String? = nil,
        _: Void = ()
    ) {
        self.touchId = touchId
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("touchId", touchId)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var touchId: String?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "touchId": try reader.takeOptional(&touchId, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            touchId: touchId
        )
    }
}
