// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Primitives
import Wire

extension Category: Choice {
    package static var summary: String { "What merchants sell: the one list that customers search by, on the bus by these names." }
    package static var meanings: [Self: String] {
        [:]
    }
}
