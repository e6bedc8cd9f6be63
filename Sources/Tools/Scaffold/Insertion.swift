/// One change of a file that exists: lines before or after a piece of text that stands in it exactly once.
package struct Insertion: Sendable {
    package enum Place: Sendable {
        case before, after
    }

    package struct Missing: Error, Equatable, CustomStringConvertible {
        package let path: String
        package let anchor: String
        package let count: Int

        package init(path: String, anchor: String, count: Int) {
            self.path = path
            self.anchor = anchor
            self.count = count
        }

        package var description: String {
            "\(path): the text that shows where something is to be added is there \(count) times instead of once: \(anchor)"
        }
    }

    package let path: String
    package let place: Place
    package let anchor: String
    package let text: String
    /// Of a file that may be missing altogether.
    package let isOptional: Bool

    package init(_ path: String, _ place: Place, _ anchor: String, add text: String, isOptional: Bool = false) {
        self.path = path
        self.place = place
        self.anchor = anchor
        self.text = text
        self.isOptional = isOptional
    }

    /// - Throws: `Missing`, where the file has changed since this was written.
    package func applied(to file: String) throws(Missing) -> String {
        let found = file.ranges(of: anchor)
        guard let range = found.first, found.count == 1 else {
            throw Missing(path: path, anchor: anchor, count: found.count)
        }
        var file = file
        file.insert(contentsOf: text, at: place == .before ? range.lowerBound : range.upperBound)
        return file
    }
}
