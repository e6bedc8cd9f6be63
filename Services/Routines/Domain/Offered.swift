import Contracts

/// What everybody is offered: actions that need no typing, and pictures.
package enum Offered {
    /// Pictures by name, with the words that they are called by.
    private static let names: [(picture: String, words: String)] = [
        ("toothbrush", "Brush teeth"), ("shower", "Shower"), ("bath", "Bath"), ("hands", "Wash hands"),
        ("hair", "Comb hair"), ("clothes", "Get dressed"), ("shoes", "Put on shoes"), ("bed", "Bed"),
        ("breakfast", "Breakfast"), ("lunch", "Lunch"), ("dinner", "Dinner"), ("drink", "Drink"),
        ("pill", "Medicine"), ("dishes", "Wash dishes"), ("laundry", "Laundry"), ("tidy", "Tidy up"),
        ("dog", "Walk the dog"), ("cat", "Feed the cat"), ("plant", "Water plants"), ("book", "Read"),
        ("school", "School"), ("work", "Work"), ("sport", "Sport"), ("music", "Music"), ("play", "Play"),
        ("rest", "Rest"), ("sun", "Morning"), ("moon", "Night"), ("bus", "Bus"), ("doctor", "Doctor")
    ]

    package static let pictures = names.map(\.picture)

    package static func words(for picture: String) -> String? { names.first { $0.picture == picture }?.words }

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
