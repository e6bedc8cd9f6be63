/// What serves HTTP. On the bus it answers for itself only: what it has counted, and what it remembers of requests.
package enum Gateway: BusService {
    package static let service = "gateway"
}
