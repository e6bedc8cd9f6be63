import Bus
import Contracts
import LocationService
import Primitives
import TestKit
import Testing

@Suite("positions and sharing")
struct PositionTests {
    @Test("nobody shares before they said so; what is shared can be read by its owner (001-35, 001-101)")
    func optIn() async throws {
        let location = try await LocationHarness()
        #expect(try await location.isSharing() == false)
        #expect(await refusal { () throws(Fault) in try await location.move(to: .square) } == .sharingOff)
        #expect(await refusal { () throws(Fault) in try await location.position() } == .positionUnknown)
        #expect(
            try await location.share() == Location.SharingView(customer: .alice, sharing: true, keptSeconds: 900))
        #expect(try await location.isSharing())
        #expect(await refusal { () throws(Fault) in try await location.position() } == .positionUnknown)
        #expect(try await location.move(to: .square) == .stored)
        let now = location.clock.now
        #expect(
            try await location.position()
                == Location.Position(
                    latitude: 35_198_284, longitude: -111_651_302, time: now, expires: now + .seconds(900)))
    }

    @Test("only the last position is known, by the time of the fix: a late one is left aside")
    func lastOnly() async throws {
        let location = try await LocationHarness()
        try await location.share()
        location.clock.advance(.seconds(100))
        let now = location.clock.now
        let (here, there) = (Coordinate.square, Coordinate.square.moved(north: 500))
        #expect(try await location.move(to: here, at: now) == .stored)
        #expect(try await location.move(to: there, at: now - .seconds(1)) == .older)
        #expect(try await location.position().time == now)
        #expect(try await location.position().latitude == 35_198_284)
        // The same again, as when an answer was lost, is harmless; another of that very moment is not newer.
        #expect(try await location.move(to: here, at: now) == .stored)
        #expect(try await location.move(to: there, at: now) == .older)
    }

    @Test(
        "without a time it is of the moment at which it came: after all before, in one millisecond or by a clock set back"
    )
    func inTheOrderTheyCame() async throws {
        let location = try await LocationHarness()
        try await location.put()
        try await location.share()
        let away = Coordinate.square.moved(north: 2000)
        for (number, point) in [Coordinate.square, away, .square, away, .square].enumerated() {
            if number == 3 { location.clock.set(location.clock.now - .seconds(1)) }
            #expect(try await location.move(to: point) == .stored)
            #expect(try await location.position().latitude == Int64(point.latitude))
        }
        // Fences follow, and their times do not go back.
        #expect(try await location.published() == ["entered", "exited left", "entered", "exited left", "entered"])
        let times = try await location.facts().map { fact in
            fact.type == Location.FenceExited.type.name
                ? try Location.FenceExited(json: fact.data).time : try Location.FenceEntered(json: fact.data).time
        }
        #expect(times == times.sorted())
    }

    @Test("A43: what is not on the globe is refused; so is a fix from the future, less a minute")
    func refused() async throws {
        let location = try await LocationHarness()
        try await location.share()
        let handler = UpdatePositionHandler(location.service)
        for (latitude, longitude): (Int64, Int64) in [
            (90_000_001, 0), (0, -180_000_001), (Int64(Int32.max) * 2, 0), (.min, .max)
        ] {
            let code = await refusal { () throws(Fault) in
                try await handler.admit(
                    .init(customer: .alice, latitude: latitude, longitude: longitude), in: location.context())
            }
            #expect(code == .coordinateInvalid)
        }
        let now = location.clock.now
        #expect(
            await refusal { () throws(Fault) in try await location.move(to: .square, at: now + .milliseconds(60_001)) }
                == .fixTimeInvalid)
        #expect(await refusal { () throws(Fault) in try await location.position() } == .positionUnknown)
        // A clock a little ahead is not believed, and its position lives no longer than others.
        #expect(try await location.move(to: .square, at: now + .seconds(60)) == .stored)
        #expect(try await location.position().time == now)
    }

    @Test("a position is forgotten after its time to live, to the millisecond, whether or not it has been swept")
    func timeToLive() async throws {
        let location = try await LocationHarness()
        try await location.share()
        try await location.move(to: .square)
        location.clock.advance(.milliseconds(899_999))
        #expect(try await location.position().latitude == 35_198_284)
        location.clock.advance(.milliseconds(1))
        #expect(await refusal { () throws(Fault) in try await location.position() } == .positionUnknown)
        #expect(try await location.isSharing())
        let figures = { Dictionary(uniqueKeysWithValues: location.service.figures.map { ($0.name, $0.value) }) }
        #expect(figures()["positions"] == 1)
        for _ in 0..<30 { try await location.service.sweep() }
        #expect(figures()["positions"] == 0)
        // What is past it when it comes is not taken at all.
        #expect(try await location.move(to: .square, at: location.clock.now - .seconds(900)) == .expired)
        #expect(try await location.move(to: .square, at: location.clock.now - .milliseconds(899_999)) == .stored)
    }

    @Test("a position is swept within thirty calls, however many have shared before")
    func sweptAmongMany() async throws {
        let location = try await LocationHarness()
        for number in 1...300 {
            let customer = PartyID(high: 9, low: UInt64(number))
            try await location.share(customer)
            try await location.move(customer, to: .square)
            if number > 5 { try await location.share(customer, false) }
        }
        location.clock.advance(.seconds(900))
        for _ in 0..<30 { try await location.service.sweep() }
        #expect(location.service.figures.contains { $0.name == "positions" && $0.value == 0 })
    }

    @Test("a fix that is sent again publishes what the first try could not")
    func publishedAgain() async throws {
        let location = try await LocationHarness()
        try await location.put()
        try await location.share()
        location.store.breakDown(true)
        #expect(await refusal { () throws(Fault) in try await location.move(to: .square) } == .unavailable)
        location.store.breakDown(false)
        try await location.move(to: .square)
        #expect(try await location.published() == ["entered"])
    }

    @Test("opting out forgets at once, and a fix from before opting in again brings nothing back")
    func optOut() async throws {
        let location = try await LocationHarness()
        try await location.put()
        try await location.share()
        try await location.move(to: .square)
        location.clock.advance(.seconds(10))
        try await location.share(.alice, false)
        #expect(try await location.isSharing() == false)
        #expect(await refusal { () throws(Fault) in try await location.position() } == .positionUnknown)
        #expect(try await location.customers().total == 0)
        #expect(await refusal { () throws(Fault) in try await location.move(to: .square) } == .sharingOff)
        location.clock.advance(.seconds(10))
        try await location.share()
        #expect(try await location.customers().total == 0)
        #expect(try await location.move(to: .square, at: location.clock.now - .seconds(1)) == .older)
        #expect(try await location.move(to: .square, at: location.clock.now) == .stored)
    }

    @Test("a forgotten position stays forgotten, whatever still comes from before")
    func forget() async throws {
        let location = try await LocationHarness()
        try await location.share()
        #expect(try await location.forget() == false)
        location.clock.advance(.seconds(1))
        try await location.move(to: .square)
        location.clock.advance(.seconds(10))
        #expect(try await location.forget())
        #expect(try await location.forget() == false)
        #expect(try await location.move(to: .square, at: location.clock.now - .seconds(1)) == .older)
        #expect(await refusal { () throws(Fault) in try await location.position() } == .positionUnknown)
        location.clock.advance(.milliseconds(1))
        #expect(try await location.move(to: .square) == .stored)
    }

    @Test("many fixes at once: each as alone, in their order; one that is refused harms no other")
    func batch() async throws {
        let location = try await LocationHarness()
        try await location.share(.alice)
        try await location.share(.bob)
        location.clock.advance(.seconds(2000))
        let now = location.clock.now
        func fix(_ customer: PartyID, _ latitude: Int64, _ time: Timestamp?) -> Location.Fix {
            Location.Fix(customer: customer, latitude: latitude, longitude: 0, time: time)
        }
        let reply = try await location.batch([
            fix(.alice, 1, now - .seconds(2)), fix(.cafe, 2, now), fix(.alice, 3, now - .seconds(3)),
            fix(.bob, 90_000_001, nil), fix(.bob, 4, now + .seconds(61)), fix(.bob, 5, nil),
            fix(.alice, 6, now - .seconds(1000)), fix(.alice, 7, now - .seconds(1))
        ])
        #expect(
            reply
                == Location.UpdatePositions.Reply(
                    stored: 3, older: 1, expired: 1,
                    refused: [
                        .init(index: 1, code: "location.sharing_off"),
                        .init(index: 3, code: "location.coordinate_invalid"),
                        .init(index: 4, code: "location.time_invalid")
                    ]))
        #expect(try await location.position(of: .alice).latitude == 7)
        #expect(try await location.position(of: .bob).latitude == 5)
        let many = Array(repeating: fix(.alice, 1, now), count: 401)
        #expect(await refusal { () throws(Fault) in try await location.batch(many) } == .tooManyFixes)
        // The first is newer than what was known; the others are the same again.
        #expect(try await location.batch(Array(many.prefix(400))).stored == 400)
        // A whole batch fits into an envelope.
        let full = Location.UpdatePositions(
            fixes: (0..<400).map { _ in
                Location.Fix(customer: .alice, latitude: -89_999_999, longitude: -179_999_999, time: now)
            })
        #expect(full.json.count < Envelope.bytesMax - 2048)
    }
}
