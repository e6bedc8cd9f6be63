// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Primitives
import Wire

extension Gateway {
    package static var summary: String { "Serves HTTP. On the bus it answers for itself only: its figures, and what it remembers of requests." }
}
