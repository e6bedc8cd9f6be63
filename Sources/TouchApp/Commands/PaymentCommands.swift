import Primitives

/// Pays with the card that is shown.
///
/// While the outcome of an earlier payment is not known, that one is asked for again, so that it is made once.
package struct Pay: Command {
    package init() {}

    package func execute(on app: inout App, in context: CommandContext) async {
        var order = PaymentOrder(
            operation: context.touch.reinterpreted(), card: app.card.id, amount: context.rules.touchAmount)
        for case .payment(let earlier) in app.unsettled { order = earlier }
        do throws(BackingError) {
            let receipt = try await context.backing.pay(order)
            app.settle(.payment(order))
            app.change(PayScreen.self) { $0.receipt = receipt }
            app.tell(
                receipt.replayed
                    ? .paidBefore(receipt.amount) : .paid(receipt.amount, balance: receipt.card.balance))
            await app.update(receipt.card, asOfBefore: receipt.replayed, in: context)
        } catch { app.fail(error, doing: .payment(order)) }
    }
}

/// Gets a code for the merchant's scanner.
package struct ReadPayCode: Command {
    package init() {}

    package func execute(on app: inout App, in context: CommandContext) async {
        do throws(BackingError) {
            let code = try await context.backing.payCode(card: app.card.id)
            app.change(PayScreen.self) {
                $0.payCode = code
                $0.isDisabled = false
            }
        } catch {
            if error == .paymentsDisabled {
                app.change(PayScreen.self) {
                    $0.payCode = nil
                    $0.isDisabled = true
                }
            }
            app.fail(error, .reading)
        }
    }
}

/// Allows or forbids payments.
package struct EnablePayments: Command {
    private let enabled: Bool

    package init(_ enabled: Bool) { self.enabled = enabled }

    package func execute(on app: inout App, in context: CommandContext) async {
        do throws(BackingError) {
            try await context.backing.enablePayments(enabled)
            app.change(PaymentSetupScreen.self) { $0.enabled = enabled }
            if enabled { app.tell(.paymentsEnabled) }  // The screen itself says that they are disabled.
        } catch { app.fail(error, .setting) }
    }
}

/// Finds out whether payments are allowed.
package struct ReadPaymentsEnabled: Command {
    package init() {}

    package func execute(on app: inout App, in context: CommandContext) async {
        do throws(BackingError) {
            let enabled = try await context.backing.paymentsEnabled()
            app.change(PaymentSetupScreen.self) { $0.enabled = enabled }
        } catch { app.fail(error, .reading) }
    }
}
