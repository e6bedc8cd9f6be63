// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Primitives
import Wire

extension Language: Choice {
    package static var summary: String { "A language that people read, by its ISO 639-1 code." }
    package static var meanings: [Self: String] {
        [:]
    }
}
