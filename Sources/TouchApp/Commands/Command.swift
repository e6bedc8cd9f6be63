/// Something the app can do: an object that touches, menus and the two top commands are wired to.
package protocol Command: Sendable {
    /// Changes `app`, after asking what it has to. Never throws: what fails is told on the display.
    func execute(on app: inout App, in context: CommandContext) async
}

/// What a command runs with.
package struct CommandContext: Sendable {
    package let backing: any AppBacking
    package let rules: AppRules
    /// The touch that led to it: an operation gets its id.
    package let touch: TouchID

    package init(backing: any AppBacking, rules: AppRules, touch: TouchID) {
        self.backing = backing
        self.rules = rules
        self.touch = touch
    }
}

/// A command and what is written on its key.
package struct CommandKey: Sendable {
    package let label: String
    package let command: any Command

    package init(_ label: String, _ command: any Command) {
        self.label = label
        self.command = command
    }
}
