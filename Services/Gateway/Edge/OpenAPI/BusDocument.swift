import CLinux
import Hummingbird
import Schemas

/// The AsyncAPI document as it is served.
enum BusDocument {
    /// Made when somebody first asks for it, and kept: most gateways are never asked, and who asks often costs nothing more.
    static let json: ByteBuffer = {
        let json = ByteBuffer(bytes: AsyncAPIDocument().json)
        // Making it takes ten times the memory of what is kept.
        _ = malloc_trim(0)
        return json
    }()
}
