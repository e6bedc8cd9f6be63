import BarCode
import Contracts
import Hummingbird
import NIOCore
import Primitives
import Schemas
import Sodium
import TouchApp
import Wire

/// Who wants a device, and whom its touches pay.
package struct NewDevice: RequestBody, Equatable {
    package enum Profile: String, Codable, Sendable, CaseIterable {
        /// Of the customer who is logged in.
        case account
        /// Of a new demo customer with the PIN 1234 and one card at $16.50.
        case demo
        /// The same without a card.
        case noCard = "no-card"
    }

    package let profile: Profile?
    package let merchant: PartyID?

    static let notes: [String: SchemaNote] = [
        "profile": SchemaNote(
            "`account` (the default) opens a device of whoever is logged in; `demo` and `no-card` make a demo customer.",
            example: "demo"),
        "merchant": SchemaNote("Whom touches pay; the set's own shop where nobody is named.")
    ]
}

package struct OpenedDevice: WireMessage, Equatable {
    package let device: DeviceID
    /// A demo customer's bearer token, shown this once.
    package let token: String?
    /// When the session ends that the device was opened with.
    package let expires: Timestamp
    package let merchant: PartyID
    package let display: Display
}

package struct TouchBody: RequestBody, FastCoded, Equatable {
    package let x: Int
    package let y: Int
    package let touchId: String?

    static let notes: [String: SchemaNote] = [
        "x": SchemaNote("The column, from 1; outside of 1 to 3 nothing is touched.", example: 1),
        "y": SchemaNote("The row, from 1; outside of 1 to 8 nothing is touched.", example: 5), "touchId": .touchID
    ]
}

package struct CancelBody: RequestBody, Equatable {
    package let touchId: String

    static let notes: [String: SchemaNote] = ["touchId": .touchID]
}

package struct CommandBody: RequestBody, FastCoded, Equatable {
    package let touchId: String?

    static let notes: [String: SchemaNote] = ["touchId": .touchID]
}

extension SchemaNote {
    /// One touch has one id, and is one payment at most.
    fileprivate static let touchID = SchemaNote(
        """
        Chosen for each touch and kept when it is repeated: 1 to 255 visible ASCII characters. Without one, a repeat is \
        another touch.
        """,
        constraints: [.init("minLength", 1), .init("maxLength", 255), .init("pattern", "^[!-~]+$")],
        example: "019aa3f7-c0de-7001-8c2d-5e6f7a8192b3")
}

extension RouteTable {
    static let devices: [Route] =
        [opening, touching, cancelling] + MenuSlot.allCases.map(menu)
        + [
            command("top-left", "touchTopLeft", "The command at the top left", .topLeft),
            command("top-right", "touchTopRight", "The command at the top right", .topRight), showing, refreshing,
            listening,
            barCode, closing
        ]

    private static let opening = Route(
        .post, "/v1/devices", "openDevice", "Opens a device: a phone with the app, to be touched",
        for: .open([.customer]), key: .optional, rate: .registration, bodyIsOptional: true, status: 201,
        asks: [
            Auth.RegisterAccount.self, Auth.OpenSession.self, Auth.SetPIN.self, Auth.ReadAccount.self,
            Wallet.AddCard.self
        ], faults: [.tooManyDevices, .tokenMissing, .merchantNotFound, .deviceReused]
    ) { (call: Call, body: NewDevice) async throws(Fault) -> Given<OpenedDevice> in
        let opening = DeviceOpening(call: call)
        var demo: (token: String, session: LiveSession)?
        switch body.profile ?? .account {
        case .account: break
        case .demo: demo = try await opening.demo(withCard: true)
        case .noCard: demo = try await opening.demo(withCard: false)
        }
        guard let session = demo?.session ?? call.session else { throw Fault(.tokenMissing) }
        let merchant = try await opening.merchant(body.merchant)
        let edge = call.edge
        // A demo customer is another one each time: no key can find the first one's device.
        let id: DeviceID = demo == nil ? call.operation() : Randomness.shared.identifier(at: call.now)
        let request = RequestContext(context: call.context, session: session)
        let (device, existed) = try edge.devices.open(id, account: session.view.account) {
            edge.device(id, for: request, paying: merchant, isDemo: demo != nil, at: call.now)
        }
        // Its touches pay the merchant that it was opened with.
        if body.merchant != nil, device.merchant != merchant.account { throw Fault(.deviceReused) }
        let display = await device.display(for: request, at: call.now).display
        return Given(
            OpenedDevice(
                device: id, token: demo?.token, expires: session.view.expires, merchant: device.merchant,
                display: display),
            replayed: existed)
    }

    private static let touching = input(
        "touch", "touchScreen", "Touches the screen", TouchBody.self, isOptional: false
    ) { (.touch($0.x, $0.y), $0.touchId) }

    private static let cancelling = Route(
        .post, "/v1/devices/{device}/cancel", "cancelTouch",
        "Cancels a touch whose answer did not come: it had arrived, or never will be carried out", for: .customer,
        key: .none, pin: false, rate: nil, query: [], body: .required(CancelBody.self), status: 200,
        reply: .jsonOrText(Display.self), asks: [], faults: [.deviceNotFound, .deviceBusy]
    ) { (call: Call) async throws(Fault) -> Answer in
        let device = try call.device
        let touch = try call.touch(try call.read(CancelBody.self).touchId, of: device.id)
        return call.answer(try await device.cancel(touch, for: call.request, at: call.now))
    }

    private static func menu(_ slot: MenuSlot) -> Route {
        command(
            "menu/\(slot.rawValue)", "touchMenu\(slot.rawValue)", "Slot \(slot.rawValue) of the menu bar", .menu(slot))
    }

    private static func command(_ path: String, _ name: String, _ summary: String, _ input: Input) -> Route {
        self.input(path, name, summary, CommandBody.self, isOptional: true) { (input, $0.touchId) }
    }

    private static func input<Body: RequestBody>(
        _ path: String, _ name: String, _ summary: String, _ type: Body.Type, isOptional: Bool,
        _ read: @escaping @Sendable (Body) -> (input: Input, touchID: String?)
    ) -> Route {
        Route(
            .post, RoutePath(stringLiteral: "/v1/devices/{device}/\(path)"), name, summary, for: .customer, key: .none,
            pin: false, rate: nil, query: [], body: isOptional ? .optional(type) : .required(type), status: 200,
            reply: .jsonOrText(Display.self), asks: [], faults: [.deviceNotFound, .deviceBusy, .touchReused],
            entersPIN: true
        ) { (call: Call) async throws(Fault) -> Answer in
            let (input, touchID) = read(try call.read(Body.self))
            let device = try call.device
            let touch = try call.touch(touchID, of: device.id)
            return call.answer(try await device.take(input, as: touch, for: call.request, at: call.now))
        }
    }

    private static let showing = Route(
        .get, "/v1/devices/{device}/display", "readDisplay", "What the device shows", for: .customer, key: .none,
        pin: false, rate: nil, query: [], body: .none, status: 200, reply: .jsonOrText(Display.self), asks: [],
        faults: [.deviceNotFound]
    ) { (call: Call) async throws(Fault) -> Answer in
        call.answer(await (try call.device).display(for: call.request, at: call.now))
    }

    private static let refreshing = Route(
        .post, "/v1/devices/{device}/refresh", "refreshDevice",
        "Looks at everything again that the device shows; a pay code is replaced by a new one", for: .customer,
        key: .none, pin: false, rate: nil, query: [], body: .none, status: 200, reply: .jsonOrText(Display.self),
        asks: [], faults: [.deviceNotFound]
    ) { (call: Call) async throws(Fault) -> Answer in
        call.answer(await (try call.device).look(for: call.request, at: call.now))
    }

    private static let listening = Route(
        .get, "/v1/devices/{device}/events", "listenToDevice",
        "What the device shows, now and whenever it changes: events `display` and `closed`", for: .customer,
        key: .none, pin: false, rate: nil, query: [], body: .none, status: 200,
        reply: .other(.events, schema: ["type": "string"], statuses: [200]), asks: [],
        faults: [.deviceNotFound, .tooManyListeners]
    ) { (call: Call) async throws(Fault) -> Answer in
        let device = try call.device
        let listening = try device.listen(call.login, watch: call.edge.watch)
        // Brings it up to date first.
        _ = await device.display(for: call.request, at: call.now)
        return Answer(events: listening)
    }

    private static let barCode = Route(
        .get, "/v1/devices/{device}/barcode", "readBarCode", "The pay code that the device shows, as a QR code",
        for: .customer, key: .none, pin: false, rate: nil, query: [], body: .none, status: 200,
        reply: .other(.svg, schema: ["type": "string"], statuses: [200]), asks: [],
        faults: [.deviceNotFound, .noPayCode]
    ) { (call: Call) async throws(Fault) -> Answer in
        let display = await (try call.device).display(for: call.request, at: call.now).display
        guard let code = display.payCode, let symbol = BarCode(code.code) else { throw Fault(.noPayCode) }
        return Answer(status: 200, content: .svg, body: ByteBuffer(string: symbol.svg))
    }

    private static let closing = Route(
        .delete, "/v1/devices/{device}", "closeDevice", "Closes the device", for: .customer, status: 204, asks: [],
        faults: [.deviceNotFound]
    ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Nothing> in
        call.edge.devices.close(try call.device)
        return Given(Nothing())
    }
}

extension Call {
    fileprivate var device: Device {
        get throws(Fault) { try edge.devices.find(id(), of: account) }
    }

    fileprivate var request: RequestContext {
        RequestContext(context: context, session: login, client: client)
    }

    /// The touch's own identifier, and that of what it does: the same for the same device and `touchId`.
    fileprivate func touch(_ touchID: String?, of device: DeviceID) throws(Fault) -> TouchID {
        guard let touchID else { return Randomness.shared.identifier(at: now) }
        guard let key = IdempotencyKey(touchID) else {
            throw Fault(WireError(.invalidValue(why: "must be 1 to 255 visible ASCII characters"), path: "touchId"))
        }
        return key.touch(of: device, account: account)
    }

    /// The display after a touch, with what became of it.
    fileprivate func answer(_ taken: (shown: Shown, effect: AppController.Effect)) -> Answer {
        edge.devices.count(taken.effect)
        var answer = answer(taken.shown)
        answer.touchEffect = taken.effect.rawValue
        answer.replayed = taken.effect == .repeated
        return answer
    }

    /// The display as JSON, or as text for who would rather have that.
    fileprivate func answer(_ shown: Shown) -> Answer {
        var answer =
            fields.wantsText
            ? Answer(status: 200, content: .text, body: ByteBuffer(string: shown.display.text + "\n"))
            : Answer(status: 200, content: .json, body: ByteBuffer(bytes: shown.display.json))
        answer.displayVersion = shown.revision
        return answer
    }
}
