import Bus
import Contracts
import NIOCore
import Primitives
import Synchronization
import TouchApp

/// A touch session.
package enum Touchscreen {}
package typealias DeviceID = Identifier<Touchscreen>

/// What a device shows, and how often that has changed since it was opened: of two, the one with more is the newer.
struct Shown: Sendable {
    let display: Display
    let revision: Int

    /// As a session sees it: a pay code pays, and is for those alone who have entered the PIN.
    func seen(withPIN hasPIN: Bool) -> Shown {
        hasPIN ? self : Shown(display: display.withoutPayCode, revision: revision)
    }
}

/// One customer's device: an app, when it was last used, and the listeners that get each new display.
final class Device: Sendable {
    let id: DeviceID
    private let bus: DeviceBus
    private let app: AppController
    private let rules: DeviceRules
    fileprivate let state: Mutex<State>

    fileprivate struct State {
        /// The session that used it last.
        var session: LiveSession
        /// The session that touched it last with its PIN entered.
        var proven: LiveSession?
        var used: Timestamp
        /// Counts the displays that were shown.
        var revision = 0
        /// Hash of the display that was shown last.
        var shown: Int?
        /// When the pay code that is shown can no longer be redeemed.
        var codeExpires: Timestamp?
        /// The newest touch: facts of its own operation change nothing that is shown.
        var touch: TouchID?
        /// Whether something has changed elsewhere since it was read.
        var isStale = false
        var isClosed = false
        var listeners: [UInt64: @Sendable () -> Void] = [:]
        var listenersEver: UInt64 = 0
        var beaten: Timestamp
        var looked: Timestamp
    }

    /// - Parameters:
    ///   - payee: whom touches pay, by name.
    ///   - request: the one that opens it.
    init(
        _ id: DeviceID, on bus: DeviceBus, paying payee: String, for request: RequestContext, rules: DeviceRules,
        at now: Timestamp
    ) {
        self.id = id
        self.bus = bus
        self.rules = rules
        var appRules = rules.app
        appRules.payee = payee
        app = AppController(backing: bus.backing(for: request), rules: appRules)
        state = Mutex(State(session: request.session, used: now, beaten: now, looked: now))
    }

    var account: PartyID { bus.customer }
    var merchant: PartyID { bus.merchant }

    var used: Timestamp { state.withLock(\.used) }
    var session: LiveSession { state.withLock(\.session) }

    /// - Throws: `gateway.device_busy`, `gateway.touch_reused`.
    func take(
        _ input: Input, as touch: TouchID, for request: RequestContext, at now: Timestamp
    ) async throws(Fault) -> (shown: Shown, effect: AppController.Effect) {
        state.withLock { state in
            state.used = now
            state.touch = touch
            state.session = request.session
            if request.session.hasPIN(at: now) { state.proven = request.session }
        }
        do throws(AppController.Refusal) {
            let taken = try await app.receive(input, as: touch, through: bus.backing(for: request))
            return (note(taken.display).seen(withPIN: request.session.hasPIN(at: now)), taken.effect)
        } catch { throw Fault(error) }
    }

    /// Cancels a touch that may not have arrived.
    ///
    /// - Throws: `gateway.device_busy`.
    func cancel(
        _ touch: TouchID, for request: RequestContext, at now: Timestamp
    ) async throws(Fault) -> (shown: Shown, effect: AppController.Effect) {
        state.withLock { $0.used = now }
        do throws(AppController.Refusal) {
            let (display, effect) = try await app.cancel(touch)
            return (note(display).seen(withPIN: request.session.hasPIN(at: now)), effect)
        } catch { throw Fault(error) }
    }

    /// The display, read again if something may have changed elsewhere.
    func display(for request: RequestContext, at now: Timestamp) async -> Shown {
        let mustLook = state.withLock { state in
            state.used = now
            return state.isStale || state.codeExpires.map { $0 <= now } ?? false
        }
        if mustLook { return await look(for: request, at: now) }
        return await shown.seen(withPIN: request.session.hasPIN(at: now))
    }

    fileprivate var shown: Shown { get async { note(await app.shown) } }

    /// Reads everything again that is shown, in the session that touched last with its PIN where the request's has
    /// none.
    @discardableResult
    func look(for request: RequestContext, at now: Timestamp) async -> Shown {
        let hasPIN = request.session.hasPIN(at: now)
        let session = state.withLock { state in
            state.isStale = false
            state.looked = now
            return hasPIN ? request.session : state.proven ?? request.session
        }
        let reading = RequestContext(context: request.context, session: session)
        return note(await app.refresh(through: bus.backing(for: reading))).seen(withPIN: hasPIN)
    }

    /// Notes a change of this customer's data, by an operation that may be this device's own.
    ///
    /// - Returns: whether somebody listens, so that `look` has to be called.
    func changed(by operation: OperationID?) -> Bool {
        state.withLock { state in
            guard operation == nil || state.touch?.reinterpreted() != operation else { return false }
            state.isStale = true
            return !state.listeners.isEmpty
        }
    }

    // MARK: Listening

    private func note(_ display: Display) -> Shown {
        let hash = display.hashValue
        let (revision, listeners) = state.withLock { state -> (Int, [@Sendable () -> Void]) in
            guard state.shown != hash else { return (state.revision, []) }
            state.shown = hash
            state.revision += 1
            state.codeExpires = display.payCode?.expires
            return (state.revision, Array(state.listeners.values))
        }
        for listener in listeners { listener() }
        return Shown(display: display, revision: revision)
    }

    /// What a listener is sent.
    enum News: Sendable {
        case display(Shown)
        /// Nothing is new; keeps the connection open.
        case heartbeat
        case closed
    }

    /// Keeps changes for this listener, until it is deallocated or its session ends.
    ///
    /// - Throws: `gateway.too_many_listeners`.
    func listen(_ session: LiveSession, watch: SessionWatch) throws(Fault) -> Listening {
        let number: UInt64? = state.withLock { state in
            guard state.listeners.count < rules.listenersMax else { return nil }
            state.listenersEver += 1
            state.listeners[state.listenersEver] = {}
            return state.listenersEver
        }
        guard let number else { throw Fault(.tooManyListeners, retryAfterSeconds: 1) }
        let isOver = Flag()
        let watching = watch.watch(session) { [weak self] in
            isOver.raise()
            self?.state.withLock { $0.listeners[number] }?()
        }
        return Listening(to: self, session, number, isOver, watching)
    }

    /// Raised once.
    fileprivate final class Flag: Sendable {
        private let raised = Mutex(false)

        var isRaised: Bool { raised.withLock(\.self) }
        func raise() { raised.withLock { $0 = true } }
    }

    /// One who listens: is sent the display as it is, each change of it, and a heartbeat now and then, until the device
    /// is closed or the session has ended. Of changes in quick succession, only the last is sent.
    final class Listening: EventFeed {
        private let device: Device
        private let session: LiveSession
        private let number: UInt64
        private let isOver: Flag
        private let watching: SessionWatch.Watching
        /// The revision that was sent last.
        private let sent = Mutex<Int?>(nil)

        fileprivate init(
            to device: Device, _ session: LiveSession, _ number: UInt64, _ isOver: Flag,
            _ watching: SessionWatch.Watching
        ) {
            self.device = device
            self.session = session
            self.number = number
            self.isOver = isOver
            self.watching = watching
        }

        deinit { device.state.withLock { $0.listeners[number] = nil } }

        func whenDue(_ wake: @escaping @Sendable () -> Void) { device.state.withLock { $0.listeners[number] = wake } }

        func turn(_ write: (ByteBuffer) async throws -> Void) async throws -> Bool {
            if isOver.isRaised || device.state.withLock(\.isClosed) {
                try await write(EventText.of(.closed))
                return false
            }
            let hasPIN =
                session.hasPIN(at: device.bus.clock.now())
                || device.state.withLock { $0.proven?.digest == session.digest }
            let shown = await device.shown.seen(withPIN: hasPIN)
            let news: News = sent.withLock { sent in
                defer { sent = shown.revision }
                return shown.revision == sent ? .heartbeat : .display(shown)
            }
            try await write(EventText.of(news))
            return true
        }
    }

    /// Sends a heartbeat when one is due.
    ///
    /// - Returns: whether `look` is due.
    func tick(at now: Timestamp) -> Bool {
        let (listeners, mustLook) = state.withLock { state -> ([@Sendable () -> Void], Bool) in
            guard !state.listeners.isEmpty else { return ([], false) }
            let expired = state.codeExpires.map { $0 <= now && state.looked < $0 } ?? false
            let mustLook = expired || now.isApart(from: state.looked, by: rules.lookTime)
            guard now.isApart(from: state.beaten, by: rules.beatTime) else { return ([], mustLook) }
            state.beaten = now
            return (Array(state.listeners.values), mustLook)
        }
        for listener in listeners { listener() }
        return mustLook
    }

    func close() {
        let listeners = state.withLock { state in
            state.isClosed = true
            return state.listeners.values
        }
        for listener in listeners { listener() }
    }
}

extension Fault {
    fileprivate init(_ refusal: AppController.Refusal) {
        switch refusal {
        case .busy: self.init(.deviceBusy, retryAfterSeconds: 1)
        case .touchReused: self.init(FaultCode.touchReused)
        }
    }
}
