import Primitives

/// Checks the PIN that has just become whole.
package struct VerifyPIN: Command {
    private let pin: Digits

    package init(_ pin: Digits) { self.pin = pin }

    package func execute(on app: inout App, in context: CommandContext) async {
        do throws(BackingError) {
            try await context.backing.verify(pin: pin)
        } catch {
            app.change(PinScreen.self) { $0.pin.invalid() }
            return app.fail(error, .pin)
        }
        app.change(PinScreen.self) { $0.pin.valid() }
        await Show(.main).execute(on: &app, in: context)
    }
}
