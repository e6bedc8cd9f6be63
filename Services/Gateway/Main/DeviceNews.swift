import Bus
import Contracts
import GatewayService
import Primitives

/// What changes a customer's cards elsewhere, as devices want to know it.
enum DeviceNews {
    static func listen(_ bus: Bus, for devices: DeviceTable) {
        bus.observe(Wallet.PaymentPosted.self) { devices.changed($0.customer, by: $0.payment.reinterpreted()) }
        bus.observe(Wallet.CardReloaded.self) { devices.changed($0.customer, by: $0.operation) }
        bus.observe(Wallet.CardAdded.self) { devices.changed($0.customer, by: $0.card.reinterpreted()) }
        bus.observe(Wallet.TransferPosted.self) { transfer in
            for holder in [transfer.from, transfer.to] where holder.role == .customer { devices.changed(holder.party) }
        }
        bus.observe(Payments.ChargeRefunded.self) { devices.changed($0.customer) }
    }
}
