import Primitives
import TouchApp

/// The limits of devices, and what their touches pay.
package struct DeviceRules: Sendable {
    /// Devices open at once; more are refused. One takes 1 to 3 KB (docs/touch.md).
    package var countMax = 50_000
    /// Devices of one account; one more closes the one that was longest unused.
    package var perAccountMax = 16
    /// How long a device may be unused before it is closed.
    package var idleTime = Duration.seconds(1800)
    /// Listeners of one device.
    package var listenersMax = 8
    /// How often a listener hears something, if only that the connection is there.
    package var beatTime = Duration.seconds(15)
    /// How often a device that is listened to looks whether it shows the truth: word of a change may be lost.
    package var lookTime = Duration.seconds(60)
    /// Whom touches pay where a device names nobody; nil is the set's own shop.
    package var merchant: PartyID?
    /// The amounts of a touch and of a reload.
    package var app = AppRules.standard

    package init() {}
}
