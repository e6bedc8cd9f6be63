import Contracts

/// What everybody is offered: actions that need no typing, and pictures.
package enum Offered {
    /// Pictures by name, with the words that they are called by in English and German.
    private static let names: [(picture: String, words: String, german: String)] = [
        ("toothbrush", "Brush teeth", "Zähne putzen"), ("shower", "Shower", "Dusche"), ("bath", "Bath", "Bad"),
        ("hands", "Wash hands", "Hände waschen"), ("hair", "Comb hair", "Haare kämmen"),
        ("clothes", "Get dressed", "Anziehen"), ("shoes", "Put on shoes", "Schuhe anziehen"), ("bed", "Bed", "Bett"),
        ("breakfast", "Breakfast", "Frühstück"), ("lunch", "Lunch", "Mittagessen"),
        ("dinner", "Dinner", "Abendessen"), ("drink", "Drink", "Getränk"), ("pill", "Medicine", "Medizin"),
        ("dishes", "Wash dishes", "Abwaschen"), ("laundry", "Laundry", "Wäsche"), ("tidy", "Tidy up", "Aufräumen"),
        ("dog", "Walk the dog", "Hund ausführen"), ("cat", "Feed the cat", "Katze füttern"),
        ("plant", "Water plants", "Pflanzen gießen"), ("book", "Read", "Lesen"), ("school", "School", "Schule"),
        ("work", "Work", "Arbeit"), ("sport", "Sport", "Sport"), ("music", "Music", "Musik"),
        ("play", "Play", "Spielen"), ("rest", "Rest", "Ausruhen"), ("sun", "Morning", "Morgen"),
        ("moon", "Night", "Nacht"), ("bus", "Bus", "Bus"), ("doctor", "Doctor", "Arzt")
    ]

    package static let pictures = names.map(\.picture)

    package static func words(for picture: String, in language: Language = .en) -> String? {
        names.first { $0.picture == picture }.map { language == .de ? $0.german : $0.words }
    }

    package static let actions: [Routines.OfferedAction] = [
        action("toothbrush", 5, .high), action("shower", 15), action("hands", 2), action("hair", 5),
        action("clothes", 10), action("shoes", 3), action("breakfast", 20, .high), action("lunch", 30, .high),
        action("dinner", 30, .high), action("drink", 2), action("pill", 2, .high), action("dishes", 15, .low),
        action("laundry", 20, .low), action("tidy", 15, .low), action("dog", 30), action("cat", 5),
        action("plant", 10, .low), action("book", 30, .low), action("sport", 45), action("music", 30, .low),
        action("rest", 20)
    ]

    private static func action(
        _ picture: String, _ minutes: Int64, _ priority: Routines.Priority = .normal
    ) -> Routines.OfferedAction {
        Routines.OfferedAction(
            name: Routines.Label(text: words(for: picture), images: [picture]), minutes: minutes, priority: priority)
    }

    package static let reply = Routines.ReadOffered.Reply(
        actions: actions, pictures: pictures,
        tags: Tag.windows.map {
            Routines.TagWindow(tag: $0.tag, from: Int64($0.minutes.lowerBound), until: Int64($0.minutes.upperBound))
        }, colours: Routines.Colour.allCases)
}
