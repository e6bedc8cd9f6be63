/// The numbers that end the subjects under which one connection is answered.
///
/// A number is used again when its ask was answered: nats-server is faster with subjects that it has seen lately. The
/// number of an ask that was given up is not, so that a late answer never reaches another ask.
package struct ReplyNumbers {
    private struct Place {
        /// How many asks of this place were given up.
        var generation: UInt32 = 0
        var tag: UInt64 = 0
        /// Whether the answer may still come.
        var isOpen = false
    }

    /// In a place that no ask has (``PendingAsks/countMax``).
    private static let outside: UInt64 = 0xFFFF_FFFF

    private var places: [Place] = []
    private var outsiders: UInt64 = 0

    package init() {}

    /// The number for an ask. The ask that had the tag's place before and was not answered is given up.
    ///
    /// - Parameter tag: of the ``PendingAsks``, whose lower half is a place.
    package mutating func take(_ tag: UInt64) -> UInt64 {
        let index = Self.index(of: tag)
        if index >= places.count { places += [Place](repeating: Place(), count: index + 1 - places.count) }
        if places[index].isOpen { places[index].generation &+= 1 }
        places[index].tag = tag
        places[index].isOpen = true
        return number(index)
    }

    /// A number that is never used again: for what has many answers.
    package mutating func takeOnce() -> UInt64 {
        outsiders += 1
        return outsiders << 32 | Self.outside
    }

    /// The number of an ask that waits for its answer.
    package func number(of tag: UInt64) -> UInt64? {
        let index = Self.index(of: tag)
        guard index < places.count, places[index].isOpen, places[index].tag == tag else { return nil }
        return number(index)
    }

    /// The tag of the ask that waits for its answer under this number.
    package func tag(of number: UInt64) -> UInt64? {
        let index = Self.index(of: number)
        guard index < places.count, places[index].isOpen, self.number(index) == number else { return nil }
        return places[index].tag
    }

    /// The ask is answered.
    package mutating func end(_ number: UInt64) {
        guard tag(of: number) != nil else { return }
        places[Self.index(of: number)].isOpen = false
    }

    /// Gives up all asks: the connection that had them is lost.
    package mutating func giveUpAll() {
        for index in places.indices where places[index].isOpen {
            places[index].isOpen = false
            places[index].generation &+= 1
        }
    }

    private func number(_ index: Int) -> UInt64 { UInt64(places[index].generation) << 32 | UInt64(index) }

    private static func index(of number: UInt64) -> Int { Int(number & 0xFFFF_FFFF) }
}
