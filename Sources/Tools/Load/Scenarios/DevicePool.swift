import DequeModule
import Primitives
import Synchronization

/// The touch devices of a run. Each is used by one operation at a time, and all in turn.
package final class DevicePool: Sendable {
    /// Devices of one customer at most: as many as a gateway allows (`BILLFOLD_DEVICES_PER_ACCOUNT`).
    package static let perCustomerMax = 16
    /// Devices of one customer where nobody says more: each needs a PIN, and a gateway takes ten of an account a
    /// minute.
    package static let perCustomer = 8

    package let count: Int
    /// Tells this run's devices from those of all others.
    private let run: UInt32
    private let state: Mutex<State>

    private struct State {
        /// By device; nil while it has not been opened.
        var ids: [PartyID?]
        /// Devices that are not in use, longest unused first.
        var free: Deque<Int>
    }

    package init(_ count: Int, run: UInt32 = 0) {
        self.count = count
        self.run = run
        state = Mutex(
            State(ids: [PartyID?](repeating: nil, count: count), free: Deque(0..<count)))
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
            guard let device = state.free.popFirst() else {
                preconditionFailure("there are as many devices as operations at once")
            }
            return device
        }
    }

    func giveBack(_ device: Int) {
        state.withLock { $0.free.append(device) }
    }

    var openCount: Int { state.withLock { $0.ids.count { $0 != nil } } }

    /// The gateway's id of an open device.
    subscript(device: Int) -> PartyID? {
        get { state.withLock { $0.ids[device] } }
        set { state.withLock { $0.ids[device] = newValue } }
    }
}
