import CLinux
import Hummingbird
import Schemas

/// The documents as they are served.
///
/// Each is made when somebody first asks for it, beside the event loop, and kept: most gateways are never asked, and
/// who asks often costs nothing more.
enum Documents {
    /// OpenAPI's, of the routes.
    static let http = made { RouteTable.document.json }
    /// AsyncAPI's, of the bus.
    static let bus = made { AsyncAPIDocument().json }

    private static func made(_ make: @escaping @Sendable () -> [UInt8]) -> Task<StaticFile, Never> {
        Task.detached {
            let json = StaticFile(.json, make())
            // Making one takes ten times the memory of what is kept.
            _ = malloc_trim(0)
            return json
        }
    }
}
