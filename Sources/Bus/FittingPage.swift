import Contracts
import Wire

/// Makes a page that fits into an envelope: long texts may leave room for fewer elements than asked for.
///
/// - Parameter make: gives a page of at most so many elements. One element always fits.
package func fittingPage<Reply: WireMessage>(
    of limit: Int, _ make: (Int) async throws(Fault) -> Reply
) async throws(Fault) -> Reply {
    var limit = limit
    while true {
        let reply = try await make(limit)
        if limit == 1 || reply.json.count <= FactsPage.bytesMax { return reply }
        limit /= 2
    }
}
