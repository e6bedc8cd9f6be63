import Contracts

/// What reminders say, in the language of the person who made the day.
struct ReminderWords {
    let language: Language

    private func choose(_ english: String, _ german: String) -> String { language == .de ? german : english }

    var nameless: String { choose("your routine", "Ihre Routine") }

    func now(_ name: String) -> String { choose("Now: \(name)", "Jetzt: \(name)") }

    func begins(_ clock: String) -> String { choose("It begins at \(clock).", "Beginn: \(clock) Uhr.") }

    func late(_ name: String) -> String { choose("Late: \(name)", "Verspätet: \(name)") }

    func was(due clock: String, late minutes: Int64) -> String {
        choose(
            "It was due at \(clock). This reminder comes \(minutes == 1 ? "1 minute" : "\(minutes) minutes") late.",
            "Fällig war es um \(clock) Uhr. Diese Erinnerung kommt \(minutes == 1 ? "1 Minute" : "\(minutes) Minuten") zu spät."
        )
    }
}
