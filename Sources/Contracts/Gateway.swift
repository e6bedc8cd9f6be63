/// Serves HTTP. On the bus it answers for itself only: its figures, and what it remembers of requests.
package enum Gateway: BusService {
    package static let service = "gateway"
}
