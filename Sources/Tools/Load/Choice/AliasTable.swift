/// Draws an index by weight in constant time: Walker's alias method, built as Vose describes (1991).
package struct AliasTable: Sendable {
    /// For each column the share of its own index; the rest goes to its alias.
    private var share: [Double]
    private var alias: [UInt32]

    /// - Parameter weights: at least one; none negative, at least one above zero.
    package init(_ weights: [Double]) {
        let total = weights.reduce(0, +)
        precondition(!weights.isEmpty && total > 0, "weights have to be there and to add up to something")
        share = weights.map { $0 / total * Double(weights.count) }
        alias = weights.indices.map { UInt32($0) }
        var small = share.indices.filter { share[$0] < 1 }
        var large = share.indices.filter { share[$0] >= 1 }
        while let low = small.popLast(), let high = large.popLast() {
            alias[low] = UInt32(high)
            share[high] -= 1 - share[low]
            if share[high] < 1 { small.append(high) } else { large.append(high) }
        }
        // What rounding has left over is full.
        for rest in small + large { share[rest] = 1 }
    }

    package func draw(_ dice: inout Dice) -> Int {
        let column = dice.below(share.count)
        return dice.fraction() < share[column] ? column : Int(alias[column])
    }
}
