import Bus
import Contracts
import LocationService
import Primitives
import Testing

@Suite("the table merchantLocation (A30)")
struct PrintedTableTests {
    @Test("001-131: the printed columns in the printed order; a business with two locations is there twice")
    func rows() async throws {
        let store = try SQLPlaceStore()
        for (id, latitude) in [(PlaceID.first, Int32(35_198_284)), (.second, -35_198_284)] {
            _ = try await store.put(
                MerchantPlace(
                    id: id, merchant: .cafe, name: "Café",
                    point: Coordinate(checkedLatitude: latitude, longitude: -111_651_302)),
                placesMax: 9)
        }
        let page = try await store.store.table(.merchantLocation, after: 0, limit: 10)
        #expect(
            page.rows.map { String(decoding: $0.bytes, as: UTF8.self) }
                == [35_198_284, -35_198_284].map { latitude in
                    #"{"merchantUserName":"\#(PartyID.cafe)","latitude":\#(latitude),"longitude":-111651302}"#
                })
        #expect(page.next == nil)
    }
}
