import CZint

/// A text as a QR code (ISO/IEC 18004), which any phone's camera and any till's scanner reads. Encoded by libzint.
package struct BarCode: Sendable {
    /// How much of the code may be unreadable: 7 % and 15 %.
    package enum Correction: Int32, Sendable {
        case low = 1
        case medium = 2
    }

    /// Modules in a row and in a column.
    package let size: Int
    /// Rows, from the top, of modules from the left: true is dark.
    package let modules: [[Bool]]

    /// Light modules around the symbol (section 6.3.8 of the standard).
    package static let quietZone = 4

    /// Nil where the text is empty or too long for a code (2,331 bytes at level M).
    ///
    /// - Parameter correction: medium, as displays have scratches; low makes a smaller code.
    package init?(_ text: String, correction: Correction = .medium) {
        guard let symbol = ZBarcode_Create() else { return nil }
        defer { ZBarcode_Delete(symbol) }
        symbol.pointee.symbology = BARCODE_QRCODE
        symbol.pointee.input_mode = DATA_MODE
        symbol.pointee.option_1 = correction.rawValue
        var bytes = Array(text.utf8)
        let outcome = ZBarcode_Encode(symbol, &bytes, Int32(bytes.count))
        guard outcome < ZINT_ERROR, symbol.pointee.width == symbol.pointee.rows, symbol.pointee.width > 0 else {
            return nil
        }
        size = Int(symbol.pointee.width)
        modules = (0..<symbol.pointee.rows).map { row in
            (0..<symbol.pointee.width).map { billfold_zint_is_dark(symbol, row, $0) != 0 }
        }
    }

    /// Black on white whatever the theme, as scanners want it; a module is one unit.
    package var svg: String {
        let side = size + 2 * Self.quietZone
        var path = ""
        for (y, row) in modules.enumerated() {
            var x = 0
            while x < size {
                let start = x
                while x < size, row[x] { x += 1 }
                if x > start {
                    path += "M\(start + Self.quietZone) \(y + Self.quietZone)h\(x - start)v1h-\(x - start)z"
                }
                x += 1
            }
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(side) \(side)" shape-rendering="crispEdges">\
            <path fill="#fff" d="M0 0h\(side)v\(side)h-\(side)z"/><path d="\(path)"/></svg>

            """
    }
}
