/// Switches to a screen, and reads what it shows.
package struct Show: Command {
    package let destination: ScreenName

    package init(_ destination: ScreenName) { self.destination = destination }

    package func execute(on app: inout App, in context: CommandContext) async {
        switch destination {
        case .pin: app.lock()
        case .main: app.show(MainScreen())
        case .pay: app.show(PayScreen())
        case .options: app.show(OptionsScreen())
        case .moreOptions: app.show(MoreOptionsScreen())
        case .paymentSetup: app.show(PaymentSetupScreen())
        case .rewardsSetup: app.show(RewardsSetupScreen())
        case .findStores: app.show(FindStoresScreen())
        case .settings: app.show(SettingsScreen())
        case .addCard: app.show(AddCardScreen())
        }
        if let reading = app.screen.reading { await reading.execute(on: &app, in: context) }
    }
}
