extension String {
    /// The text with a text in the place of each such scalar. `replacing(_:with:)` compares characters, and leaves a
    /// quotation mark that carries a combining mark, though who reads the bytes sees the quotation mark.
    package func replacingScalar(_ scalar: Unicode.Scalar, with text: String) -> String {
        guard unicodeScalars.contains(scalar) else { return self }
        return unicodeScalars.map { $0 == scalar ? text : String($0) }.joined()
    }
}
