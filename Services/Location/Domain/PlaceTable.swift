import Primitives

/// Where a merchant does business.
package struct MerchantPlace: Sendable, Equatable {
    package let id: PlaceID
    package let merchant: PartyID
    package let name: String
    package let point: Coordinate

    package init(id: PlaceID, merchant: PartyID, name: String, point: Coordinate) {
        self.id = id
        self.merchant = merchant
        self.name = name
        self.point = point
    }
}

/// All places, found by id, merchant and position.
struct PlaceTable: Sendable {
    private var numbers: [PlaceID: Int32] = [:]
    private var rows: [MerchantPlace?] = []
    private var free: [Int32] = []
    /// In the order of their creation.
    private var byMerchant: [PartyID: [PlaceID]] = [:]
    private(set) var grid: PointGrid

    init(radiusMetres: Double) { grid = PointGrid(radiusMetres: radiusMetres) }

    var count: Int { numbers.count }

    subscript(_ id: PlaceID) -> MerchantPlace? { numbers[id].flatMap { rows[Int($0)] } }

    /// - Precondition: the number is in use.
    @inline(__always)
    subscript(number number: Int32) -> MerchantPlace {
        guard let place = rows[Int(number)] else {
            preconditionFailure("a place that was removed is still referred to")
        }
        return place
    }

    func number(_ id: PlaceID) -> Int32? { numbers[id] }

    func places(of merchant: PartyID) -> [MerchantPlace] { byMerchant[merchant, default: []].compactMap { self[$0] } }

    /// Adds a place, or replaces the one with its id.
    mutating func put(_ place: MerchantPlace) {
        let number: Int32
        if let known = numbers[place.id] {
            number = known
            rows[Int(number)] = place
        } else {
            if let vacant = free.popLast() {
                number = vacant
            } else {
                number = Int32(rows.count)
                rows.append(nil)
            }
            rows[Int(number)] = place
            numbers[place.id] = number
            byMerchant[place.merchant, default: []].append(place.id)
        }
        grid.put(number, at: place.point, time: 0)
    }

    mutating func remove(_ id: PlaceID) {
        guard let number = numbers.removeValue(forKey: id), let place = rows[Int(number)] else { return }
        rows[Int(number)] = nil
        free.append(number)
        grid.remove(number)
        byMerchant[place.merchant]?.removeAll { $0 == id }
        if byMerchant[place.merchant]?.isEmpty == true { byMerchant[place.merchant] = nil }
    }
}
