import Contracts
import HTTPClient
import Primitives
import Wire

/// Opens a run's touch devices and enters the PIN at each, before anything is measured: a PIN costs a hash, and
/// thousands of them would be most of the load.
struct DeviceOpening: Sendable {
    let gateway: String
    let population: Population
    let logIns: LogIns
    let pool: DevicePool

    /// Connections at once; hashes are made one to a core.
    private static let width = 4
    /// 4711, the population's PIN, on the key pad.
    private static let pin = [(1, 6), (1, 7), (1, 5), (1, 5)]

    func run(progress: (String, Int, Int) -> Void) async throws {
        // So many on a connection, so that there is something to tell on the way.
        let batch = 8
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (turn, first) in stride(from: 0, to: pool.count, by: batch).enumerated() {
                if turn >= Self.width, try await group.next() != nil { progress("devices", pool.openCount, pool.count) }
                group.addTask {
                    let client = try HTTPClient(gateway)
                    for device in first..<min(first + batch, pool.count) { try open(device, client) }
                }
            }
            try await group.waitForAll()
        }
    }

    private func open(_ device: Int, _ client: HTTPClient) throws {
        let token = String(decoding: logIns.customers[pool.customer(device, of: population)], as: UTF8.self)
        let merchant = population.merchant(pool.merchant(device, of: population))
        let opened = try client.request(
            "POST", "/v1/devices", token: token, key: pool.key(device), body: ["merchant": .string(merchant.hex)])
        guard opened.status == 201, case .string(let text)? = opened.json["device"], let id = PartyID(text) else {
            throw LoadFailure("device \(device) cannot be opened: \(String(decoding: opened.body, as: UTF8.self))")
        }
        for (x, y) in Self.pin {
            let touched = try client.request(
                "POST", "/v1/devices/\(id.hex)/touch", token: token,
                body: ["x": .integer(Int64(x)), "y": .integer(Int64(y))])
            guard touched.status == 200 else {
                throw LoadFailure(
                    "device \(device) cannot be touched: \(String(decoding: touched.body, as: UTF8.self))")
            }
        }
        pool[device] = id
    }
}
