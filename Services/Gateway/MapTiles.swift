import Foundation
import Wire

/// The tile server whose pictures lie under the pages' maps. Without one, maps are drawn on plain paper.
package struct MapTiles: Sendable, Equatable {
    /// Scheme, host and port of the server, from which pages may get pictures. A policy can name no IPv6 address (CSP
    /// Level 3, section 2.3.1).
    let origin: String
    /// The address of a tile, with `{z}`, `{x}` and `{y}` in place of its numbers.
    private let address: String
    /// The credit that the map's owner demands, in plain text; empty where none is given.
    private let credit: String

    /// - Returns: nil where the address is no URL of http or https with `{z}`, `{x}` and `{y}` in it and nothing else
    ///   in braces.
    package init?(_ address: String, credit: String) {
        var sample = address
        for place in ["{z}", "{x}", "{y}"] {
            guard sample.contains(place) else { return nil }
            sample = sample.replacingOccurrences(of: place, with: "0")
        }
        guard !sample.contains("{"), !sample.contains("}"), let url = URLComponents(string: sample), url.user == nil,
            let scheme = url.scheme, ["http", "https"].contains(scheme), let host = url.encodedHost,
            host.wholeMatch(of: /[A-Za-z0-9.-]+/) != nil, address.hasPrefix("\(scheme)://\(host)")
        else { return nil }
        origin = "\(scheme)://\(host)" + (url.port.map { ":\($0)" } ?? "")
        self.address = address
        self.credit = credit
    }

    /// The content of `leaflet/tiles.json`, which the pages read.
    static func json(_ tiles: MapTiles?) -> String {
        guard let tiles else { return "{}" }
        return JSONValue.object([.init("address", .string(tiles.address)), .init("credit", .string(tiles.credit))]).text
    }
}
