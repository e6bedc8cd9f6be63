// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Primitives
import Wire

extension ImageKind: Choice {
    package static var summary: String { "What an uploaded image may be." }
    package static var meanings: [Self: String] {
        [:]
    }
}
