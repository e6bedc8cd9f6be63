import Primitives
import Synchronization

/// The touch devices of a run. Each is used by one operation at a time, and all in turn.
package final class DevicePool: Sendable {
    /// Devices of one customer: fewer than a gateway allows (`BILLFOLD_DEVICES_PER_ACCOUNT`).
    package static let perCustomer = 16

    package let count: Int
    /// Tells this run's devices from those of all others.
    private let run: UInt32
    private let state: Mutex<State>

    private struct State {
        /// By device; nil while it has not been opened.
        var ids: [PartyID?]
        /// Devices that nobody uses, as a ring.
        var free: [Int]
        var first = 0
        var freeCount: Int
    }

    package init(_ count: Int, run: UInt32 = 0) {
        self.count = count
        self.run = run
        state = Mutex(
            State(ids: [PartyID?](repeating: nil, count: count), free: Array(0..<count), freeCount: count))
    }

    /// The key that a device is opened with, whenever that is.
    func key(_ device: Int) -> String { "load-\(run)-\(device)" }

    /// Whose device it is: each customer has several.
    func customer(_ device: Int, of population: Population) -> Int { device % population.customers }
    /// Whom its touches pay.
    func merchant(_ device: Int, of population: Population) -> Int { device % population.merchants }

    /// The device that was longest unused.
    func take() -> Int {
        state.withLock { state in
            precondition(state.freeCount > 0, "there are as many devices as operations at once")
            let device = state.free[state.first]
            state.first = (state.first + 1) % count
            state.freeCount -= 1
            return device
        }
    }

    func giveBack(_ device: Int) {
        state.withLock { state in
            state.free[(state.first + state.freeCount) % count] = device
            state.freeCount += 1
        }
    }

    var openCount: Int { state.withLock { $0.ids.count { $0 != nil } } }

    /// The gateway's id of an open device.
    subscript(device: Int) -> PartyID? {
        get { state.withLock { $0.ids[device] } }
        set { state.withLock { $0.ids[device] = newValue } }
    }
}
