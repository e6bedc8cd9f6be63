import Bus
import Contracts
import Primitives
import Synchronization
import TouchApp

/// All devices of this gateway. They live here only: one that is gone is opened again, at the Pin Screen.
package final class DeviceTable: Sendable {
    private struct State {
        var devices: [DeviceID: Device] = [:]
        /// In the order in which they were opened.
        var ofAccount: [PartyID: [DeviceID]] = [:]
        var effects: [AppController.Effect: Int64] = [:]
        var openedEver: Int64 = 0
        var expired: Int64 = 0
        var isClosed = false
        var onFirst: (@Sendable () -> Void)?
    }

    let rules: DeviceRules
    private let asking: any Asking
    private let sessions: Sessions
    private let clock: WallClock
    /// How long a look may take that no request waits for.
    private let patience: Duration
    private let state = Mutex(State())

    init(_ rules: DeviceRules, asking: any Asking, sessions: Sessions, clock: WallClock, patience: Duration) {
        self.rules = rules
        self.asking = asking
        self.sessions = sessions
        self.clock = clock
        self.patience = patience
    }

    /// Called once, before the first device is opened: time to begin listening for what changes elsewhere. A gateway
    /// without devices hears of no payment.
    package func whenFirstOpened(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onFirst = body } }

    /// Opens a device, or gives the one that is open under this id.
    /// - Throws: `gateway.too_many_devices`; `bus.unavailable` after `closeAll`.
    func open(_ id: DeviceID, account: PartyID, _ make: () -> Device) throws(Fault) -> (device: Device, existed: Bool) {
        let first = state.withLock { $0.onFirst.take() }
        first?()
        let opened = state.withLock { state -> Result<(Device, existed: Bool, closed: Device?), Fault> in
            guard !state.isClosed else { return .failure(Fault(.unavailable, retryAfterSeconds: 1)) }
            if let device = state.devices[id], device.account == account { return .success((device, true, nil)) }
            var own = state.ofAccount[account, default: []]
            var closed: Device?
            if own.count >= rules.perAccountMax {
                // Few enough to look at each.
                let oldest = own.compactMap { state.devices[$0] }.min { $0.used < $1.used }
                if let oldest {
                    Self.remove(oldest, from: &state)
                    own = state.ofAccount[account, default: []]
                    closed = oldest
                }
            }
            guard state.devices.count < rules.countMax, state.devices[id] == nil else {
                return .failure(Fault(.tooManyDevices, retryAfterSeconds: 5))
            }
            let device = make()
            state.devices[id] = device
            state.ofAccount[account] = own + [id]
            state.openedEver += 1
            return .success((device, false, closed))
        }
        let (device, existed, closed) = try opened.get()
        closed?.close()
        return (device, existed)
    }

    /// - Throws: `gateway.device_not_found`, also for devices of others.
    func find(_ id: DeviceID, of account: PartyID) throws(Fault) -> Device {
        guard let device = state.withLock({ $0.devices[id] }), device.account == account else {
            throw Fault(.deviceNotFound)
        }
        return device
    }

    func close(_ device: Device) {
        state.withLock { Self.remove(device, from: &$0) }
        device.close()
    }

    private static func remove(_ device: Device, from state: inout State) {
        guard state.devices[device.id] === device else { return }
        state.devices[device.id] = nil
        state.ofAccount[device.account]?.removeAll { $0 == device.id }
        if state.ofAccount[device.account]?.isEmpty == true { state.ofAccount[device.account] = nil }
    }

    func count(_ effect: AppController.Effect) { state.withLock { $0.effects[effect, default: 0] += 1 } }

    // MARK: What happens elsewhere

    /// Something of a customer's has changed, by an operation that may be a device's own touch.
    package func changed(_ customer: PartyID, by operation: OperationID? = nil) {
        for device in devices(of: customer) where device.changed(by: operation) { look(device) }
    }

    /// A session has ended: what was used with it is closed.
    func sessionEnded(_ session: SessionID, of account: PartyID) {
        for device in devices(of: account) where device.session.view.session == session { close(device) }
    }

    private func devices(of account: PartyID) -> [Device] {
        state.withLock { state in (state.ofAccount[account] ?? []).compactMap { state.devices[$0] } }
    }

    /// Looks again for who listens to a device, in the session that used it last: what is shown may be seen by it only.
    private func look(_ device: Device) {
        let now = clock.now()
        let context = AskContext(deadline: now + patience)
        Task { [asking, sessions] in
            let digest = device.session.digest
            let session: LiveSession
            do throws(Fault) {
                session = try await sessions.session(of: digest, at: now, asking: asking, in: context)
            } catch {
                // Another trouble than its end: a later look will do.
                if error.code == .sessionNotFound { close(device) }
                return
            }
            await device.look(for: RequestContext(context: context, session: session), at: now)
        }
    }

    // MARK: Time

    /// Closes devices that nobody uses, beats for those who listen. To be called every second.
    package func tick() {
        let now = clock.now()
        for device in state.withLock({ Array($0.devices.values) }) {
            if now - device.used >= rules.idleTime {
                state.withLock { $0.expired += 1 }
                close(device)
            } else if device.tick(at: now) {
                look(device)
            }
        }
    }

    /// Ends everything, so that nobody waits for events of a gateway that goes. Nothing is opened any more: who hears
    /// that a device was closed opens another at once, and it would be gone a moment later, with what was touched on
    /// it.
    package func closeAll() {
        let devices = state.withLock { state in
            state.isClosed = true
            return Array(state.devices.values)
        }
        for device in devices { close(device) }
    }

    // MARK: Figures

    package var samples: [ServiceStats.Sample] {
        let state = state.withLock { $0 }
        return [
            .init(name: "devices", kind: "gauge", labels: [:], value: Int64(state.devices.count)),
            .init(name: "devices_opened_total", kind: "counter", labels: [:], value: state.openedEver),
            .init(name: "devices_expired_total", kind: "counter", labels: [:], value: state.expired)
        ]
            + AppController.Effect.allCases.map { effect in
                .init(
                    name: "touches_total", kind: "counter", labels: ["effect": effect.rawValue],
                    value: state.effects[effect] ?? 0)
            }
    }
}
