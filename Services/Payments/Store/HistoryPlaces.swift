/// Places in a history, the oldest first. Those that are added are mostly the newest.
struct HistoryPlaces {
    private var places: [HistoryPlace] = []

    mutating func insert(_ place: HistoryPlace) {
        let index = index(of: place)
        if index < places.count, places[index] == place { return }
        places.insert(place, at: index)
    }

    mutating func remove(_ place: HistoryPlace) {
        let index = index(of: place)
        if index < places.count, places[index] == place { places.remove(at: index) }
    }

    var isEmpty: Bool { places.isEmpty }

    /// The newest of those before a place, or of all.
    func before(_ place: HistoryPlace?, limit: Int) -> ArraySlice<HistoryPlace> {
        places[..<(place.map(index) ?? places.count)].suffix(limit)
    }

    /// The oldest of those after a place, or of all.
    func after(_ place: HistoryPlace?, limit: Int) -> ArraySlice<HistoryPlace> {
        guard let place else { return places.prefix(limit) }
        var index = index(of: place)
        if index < places.count, places[index] == place { index += 1 }
        return places[index...].prefix(limit)
    }

    /// How many are before a place.
    private func index(of place: HistoryPlace) -> Int {
        guard let last = places.last, !(last < place) else { return places.count }
        var (low, high) = (0, places.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if places[middle] < place { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
