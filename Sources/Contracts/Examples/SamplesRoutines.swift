import Primitives

extension Samples {
    package static let routine = Routines.RoutineID(high: 0x019A_9C3D_2C40_0064, low: 0x0064_0064_0064_0064)
    package static let day = Routines.DayID(high: 0x019A_9C3D_2C40_0065, low: 0x0065_0065_0065_0065)
    package static let image = Routines.ImageID(high: 0x019A_9C3D_2C40_0066, low: 0x0066_0066_0066_0066)
    package static let date = CivilDate(of: time)

    package static let label = Routines.Label(text: "Morning \"routine\"", emoji: "🌅", images: ["sun", image.hex])
    package static let brushing = Routines.Action(
        name: Routines.Label(text: "Brush teeth", images: ["toothbrush"]), minutes: 5, priority: .high)
    package static let dressing = Routines.Action(
        name: Routines.Label(emoji: "👕"), minutes: 10, priority: .normal)
    package static let routineView = Routines.RoutineView(
        routine: routine, number: 7, name: label, tag: "morning", quiet: true, priority: .high, minutes: 15,
        actions: [brushing, dressing])
    package static let appointment = Routines.Appointment(
        name: Routines.Label(text: "Doctor's appointment"), start: 600, minutes: 60)
    package static let imageView = Routines.ImageView(image: image, kind: .png, width: 1, height: 1)
    /// A PNG of one pixel.
    package static let pixel =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg=="

    package static let dayView = Routines.DayView(
        day: day, date: date, zone: "Europe/Berlin",
        entries: [
            Routines.DayEntry(
                entry: 1, routine: routine, name: label, tag: "morning", quiet: true, start: 540, minutes: 15,
                begins: time, ends: time + .seconds(900), until: time + .seconds(10_800), isDone: false,
                isInProgress: true,
                actions: [
                    Routines.DayAction(
                        action: 1, name: brushing.name, minutes: 5, priority: .high, state: .done, done: later),
                    Routines.DayAction(action: 2, name: dressing.name, minutes: 10, priority: .normal, state: .open)
                ])
        ], current: Routines.DayPlace(entry: 1, action: 2), next: Routines.DayPlace(entry: 1, action: 2), isDone: false)
    package static let bareDay = Routines.DayView(
        day: day, date: date, zone: "UTC",
        entries: [
            Routines.DayEntry(
                entry: 1, name: appointment.name, quiet: false, start: 600, minutes: 60, begins: time,
                ends: time + .seconds(3600), until: time + .seconds(3600), isDone: false, isInProgress: false,
                actions: [
                    Routines.DayAction(
                        action: 1, name: appointment.name, minutes: 60, priority: .normal, state: .skipped)
                ])
        ], isDone: false)

    package static let reminderDue = Routines.ReminderDue(
        day: day, account: customer, entry: 1, name: label, clock: "09:00", due: time, lateMinutes: 12,
        quietUntil: time + .seconds(900), time: later)
}
