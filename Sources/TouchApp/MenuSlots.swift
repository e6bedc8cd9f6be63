/// The five commands of the menu bar, each set on its slot.
package struct MenuSlots: Sendable {
    package let keys: [CommandKey]

    package init(
        _ first: CommandKey, _ second: CommandKey, _ third: CommandKey, _ fourth: CommandKey, _ fifth: CommandKey
    ) {
        keys = [first, second, third, fourth, fifth]
    }

    package subscript(slot: MenuSlot) -> CommandKey { keys[Int(slot.rawValue) - 1] }

    package static let standard = MenuSlots(
        CommandKey("Cards", Show(.main)), CommandKey("Payments", Show(.paymentSetup)),
        CommandKey("My Rewards", Show(.rewardsSetup)), CommandKey("Find Starbucks", Show(.findStores)),
        CommandKey("Settings", Show(.settings)))
}
