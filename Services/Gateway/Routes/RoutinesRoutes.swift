import Contracts
import Primitives
import Schemas
import Wire

extension RouteTable {
    static let routines = routineList + routineImages + schedules

    private static let routineList = [
        Route(
            .get, "/v1/routines", "readRoutines", "The routines, the newest first", for: .customer,
            query: QueryParameter.page, asks: [Routines.ReadRoutines.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Routines.ReadRoutines.Reply> in
            Given(
                try await call.ask(
                    Routines.ReadRoutines(
                        account: call.account, before: try call.query.before(), limit: try call.query.limit())))
        },
        Route(
            .post, "/v1/routines", "createRoutine", "Adds a routine at the top of the list", for: .customer,
            key: .required, status: 201, asks: [Routines.CreateRoutine.self]
        ) { (call: Call, body: RoutineForm) async throws(Fault) -> Given<Routines.RoutineView> in
            let made = try await call.ask(
                Routines.CreateRoutine(
                    account: call.account, routine: call.operation(), name: body.name, tag: body.tag,
                    quiet: body.quiet, actions: body.actions))
            return Given(made.routine, replayed: made.replayed)
        },
        Route(
            .put, "/v1/routines/{routine}", "changeRoutine",
            "Writes a routine anew; schedules that were made with it stay", for: .customer,
            asks: [Routines.ChangeRoutine.self]
        ) { (call: Call, body: RoutineForm) async throws(Fault) -> Given<Routines.RoutineView> in
            Given(
                try await call.ask(
                    Routines.ChangeRoutine(
                        account: call.account, routine: call.id(), name: body.name, tag: body.tag, quiet: body.quiet,
                        actions: body.actions)))
        },
        Route(
            .delete, "/v1/routines/{routine}", "deleteRoutine",
            "Deletes a routine; schedules that were made with it stay", for: .customer, status: 204,
            asks: [Routines.DeleteRoutine.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Nothing> in
            _ = try await call.ask(Routines.DeleteRoutine(account: call.account, routine: call.id()))
            return Given(Nothing())
        },
        Route(
            .get, "/v1/routines/offered", "readOfferedActions",
            "Pre-loaded actions, pictures, tags with their times of day, and colours", for: .everyone,
            asks: [Routines.ReadOffered.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Routines.ReadOffered.Reply> in
            Given(try await call.ask(Routines.ReadOffered()))
        },
        Route(
            .get, "/v1/settings/routines", "readRoutineSettings", "The colour of the pages of routines",
            for: .customer, asks: [Routines.ReadProfile.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Routines.ProfileView> in
            Given(try await call.ask(Routines.ReadProfile(account: call.account)))
        },
        Route(
            .put, "/v1/settings/routines", "changeRoutineSettings", "Chooses that colour", for: .customer,
            asks: [Routines.SetProfile.self]
        ) { (call: Call, body: RoutineSettings) async throws(Fault) -> Given<Routines.ProfileView> in
            Given(try await call.ask(Routines.SetProfile(account: call.account, colour: body.colour)))
        }
    ]

    private static let routineImages = [
        Route(
            .get, "/v1/routines/images", "readRoutineImages", "The account's own images", for: .customer,
            asks: [Routines.ReadImages.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Routines.ReadImages.Reply> in
            Given(try await call.ask(Routines.ReadImages(account: call.account)))
        },
        Route(
            .post, "/v1/routines/images", "addRoutineImage",
            "Keeps an image, a PNG or a JPEG of at most 9,000 bytes and 256 by 256 pixels, without what does not belong "
                + "to the picture", for: .customer, key: .required, status: 201, asks: [Routines.AddImage.self]
        ) { (call: Call, body: NewImage) async throws(Fault) -> Given<Routines.ImageView> in
            let added = try await call.ask(
                Routines.AddImage(account: call.account, image: call.operation(), data: body.data))
            return Given(added.image, replayed: added.replayed)
        },
        Route(
            .get, "/v1/routines/images/{image}", "readRoutineImage", "An image with its bytes in base64",
            for: .customer, asks: [Routines.ReadImage.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Routines.ReadImage.Reply> in
            Given(try await call.ask(Routines.ReadImage(account: call.account, image: call.id())))
        },
        Route(
            .delete, "/v1/routines/images/{image}", "deleteRoutineImage", "Deletes an image", for: .customer,
            status: 204, asks: [Routines.RemoveImage.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Nothing> in
            _ = try await call.ask(Routines.RemoveImage(account: call.account, image: call.id()))
            return Given(Nothing())
        }
    ]

    private static let schedules = [
        Route(
            .post, "/v1/schedules/proposals", "proposeSchedule",
            "Proposes a schedule of routines around appointments; nothing is kept of it", for: .customer,
            asks: [Routines.ReadProposal.self]
        ) { (call: Call, body: ScheduleWish) async throws(Fault) -> Given<Routines.ReadProposal.Reply> in
            Given(
                try await call.ask(
                    Routines.ReadProposal(
                        account: call.account, tags: body.tags, appointments: body.appointments ?? [],
                        from: body.from)))
        },
        Route(
            .post, "/v1/schedules", "confirmSchedule", "Keeps the schedule of today or of a later day",
            for: .customer, key: .required, status: 201, asks: [Routines.ConfirmDay.self]
        ) { (call: Call, body: NewSchedule) async throws(Fault) -> Given<Routines.DayView> in
            let kept = try await call.ask(
                Routines.ConfirmDay(
                    account: call.account, day: call.operation(), date: body.date, zone: body.zone ?? "UTC",
                    entries: body.entries, replace: body.replace, language: body.language))
            return Given(kept.day, replayed: kept.replayed)
        },
        Route(
            .post, "/v1/schedules/copies", "copySchedule", "Keeps the schedule of another date once more, all open",
            for: .customer, key: .required, status: 201, asks: [Routines.CopyDay.self]
        ) { (call: Call, body: ScheduleCopy) async throws(Fault) -> Given<Routines.DayView> in
            let kept = try await call.ask(
                Routines.CopyDay(
                    account: call.account, day: call.operation(), from: body.from, date: body.date,
                    zone: body.zone ?? "UTC", replace: body.replace, language: body.language))
            return Given(kept.day, replayed: kept.replayed)
        },
        Route(
            .get, "/v1/schedules", "readSchedules", "The days that have a schedule, the latest date first",
            for: .customer, query: [.beforeDate, .limit], asks: [Routines.ReadDays.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Routines.ReadDays.Reply> in
            Given(
                try await call.ask(
                    Routines.ReadDays(
                        account: call.account, before: try call.query.civilDate("before"),
                        limit: try call.query.limit())))
        },
        Route(
            .get, "/v1/schedules/day", "readSchedule",
            "The schedule of a date: what to do now, what is next, what is done",
            for: .customer, query: [.date], asks: [Routines.ReadDay.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Routines.DayView> in
            guard let date = try call.query.civilDate("date") else {
                throw Fault(WireError(.missingField, path: "date"))
            }
            return Given(try await call.ask(Routines.ReadDay(account: call.account, date: date)))
        },
        Route(
            .post, "/v1/schedules/{day}/marks", "markAction", "Marks an action as done, or as open again",
            for: .customer, asks: [Routines.MarkAction.self]
        ) { (call: Call, body: ActionMark) async throws(Fault) -> Given<Routines.DayView> in
            Given(
                try await call.ask(
                    Routines.MarkAction(
                        account: call.account, day: call.id(), entry: body.entry, action: body.action, done: body.done,
                        time: body.time)))
        },
        Route(
            .post, "/v1/schedules/{day}/removals", "removeScheduleEntry", "Removes an entry of a schedule",
            for: .customer, asks: [Routines.RemoveEntry.self]
        ) { (call: Call, body: EntryRemoval) async throws(Fault) -> Given<Routines.DayView> in
            Given(
                try await call.ask(
                    Routines.RemoveEntry(account: call.account, day: call.id(), entry: body.entry)))
        },
        Route(
            .delete, "/v1/schedules/{day}", "deleteSchedule", "Deletes a schedule", for: .customer, status: 204,
            asks: [Routines.DeleteDay.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Nothing> in
            _ = try await call.ask(Routines.DeleteDay(account: call.account, day: call.id()))
            return Given(Nothing())
        }
    ]
}

extension QueryParameter {
    fileprivate static let date = QueryParameter(
        name: "date", summary: "The day.", schema: CivilDate.schema, example: "2026-11-24", isRequired: true)
    fileprivate static let beforeDate = QueryParameter(
        name: "before", summary: "Only days before this one: the `next` of the page before.", schema: CivilDate.schema,
        example: "2026-11-24")
}

extension Query {
    fileprivate func civilDate(_ name: String) throws(Fault) -> CivilDate? {
        guard let text = text(name) else { return nil }
        guard let date = CivilDate(text) else {
            throw Fault(WireError(.invalidValue(why: "must be a date like 2026-11-24"), path: name))
        }
        return date
    }
}
