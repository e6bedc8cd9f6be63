// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Primitives
import Wire

extension Location {
    package static var summary: String { "Where customers were last, merchants' places, and who is near. Latitudes and longitudes are signed millionths of a degree, within ±90 and ±180 degrees." }
}

extension Location.Fix: Shape {
    package init(
        customer: PartyID,
        latitude: Int64,
        longitude: Int64,
        time: Timestamp? = nil,
        _: Void = ()
    ) {
        self.customer = customer
        self.latitude = latitude
        self.longitude = longitude
        self.time = time
    }

    package static var summary: String { "Where a customer was at a moment, as the customer's device found it." }
    package static var fields: [Field<Self>] {
        [
            Field("customer", \.customer),
            Field("latitude", \.latitude),
            Field("longitude", \.longitude),
            Field("time", \.time, "When the customer was there; where it is absent, now, and after all that came before."),
        ]
    }

    package func write(to writer: inout JSONWriter) { fastWrite(to: &writer) }
    package static func read(_ reader: inout JSONReader) throws(WireError) -> Self { try fastRead(&reader) }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("customer", customer)
        writer.field("latitude", latitude)
        writer.field("longitude", longitude)
        writer.field("time", time)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var customer: PartyID?
        var latitude: Int64?
        var longitude: Int64?
        var time: Timestamp?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "customer": try reader.take(&customer, key)
            case "latitude": try reader.take(&latitude, key)
            case "longitude": try reader.take(&longitude, key)
            case "time": try reader.takeOptional(&time, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            customer: try required(customer, "customer"),
            latitude: try required(latitude, "latitude"),
            longitude: try required(longitude, "longitude"),
            time: time
        )
    }
}

extension Location.UpdatePosition {
    package init(
        customer: PartyID,
        latitude: Int64,
        longitude: Int64,
        time: Timestamp? = nil,
        _: Void = ()
    ) {
        self.customer = customer
        self.latitude = latitude
        self.longitude = longitude
        self.time = time
    }

    package static var summary: String { "Stores the position of a customer who shares it, in place of the one before. What counts is the time of the fix, not that of the message: an older one than the known is left aside, and the same one again is harmless. A fix from the future is refused, less a minute for clocks that differ." }
    package static var fields: [Field<Self>] {
        [
            Field("customer", \.customer),
            Field("latitude", \.latitude),
            Field("longitude", \.longitude),
            Field("time", \.time),
        ]
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("customer", customer)
        writer.field("latitude", latitude)
        writer.field("longitude", longitude)
        writer.field("time", time)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var customer: PartyID?
        var latitude: Int64?
        var longitude: Int64?
        var time: Timestamp?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "customer": try reader.take(&customer, key)
            case "latitude": try reader.take(&latitude, key)
            case "longitude": try reader.take(&longitude, key)
            case "time": try reader.takeOptional(&time, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            customer: try required(customer, "customer"),
            latitude: try required(latitude, "latitude"),
            longitude: try required(longitude, "longitude"),
            time: time
        )
    }
}

extension Location.UpdateOutcome: Choice {
    package static var summary: String { "" }
    package static var meanings: [Self: String] {
        [
            .stored: "It is the known position now.",
            .older: "A newer one is known, or the position was forgotten since.",
            .expired: "It was past its time to live when it came.",
        ]
    }
}

extension Location.Updated: Shape {
    package init(
        outcome: Location.UpdateOutcome,
        _: Void = ()
    ) {
        self.outcome = outcome
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("outcome", \.outcome),
        ]
    }
}

extension Location.UpdatePositions {
    package init(
        fixes: [Location.Fix],
        _: Void = ()
    ) {
        self.fixes = fixes
    }

    package static var summary: String { "Many fixes in one ask, each as `location.position.update.v1` takes it, in their order. One that is refused harms no other." }
    package static var fields: [Field<Self>] {
        [
            Field("fixes", \.fixes),
        ]
    }
    package static let parts: [Limit<Self>] = [
        .each(\.fixes),
    ]

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("fixes", fixes)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var fixes: [Location.Fix]?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "fixes": try reader.take(&fixes, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            fixes: try required(fixes, "fixes")
        )
    }
}

extension Location.UpdatePositions.Reply: Shape {
    package init(
        stored: Int64,
        older: Int64,
        expired: Int64,
        refused: [Location.UpdatePositions.Refused],
        _: Void = ()
    ) {
        self.stored = stored
        self.older = older
        self.expired = expired
        self.refused = refused
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("stored", \.stored),
            Field("older", \.older),
            Field("expired", \.expired),
            Field("refused", \.refused),
        ]
    }
}

extension Location.UpdatePositions.Refused: Shape {
    package init(
        index: Int64,
        code: String,
        _: Void = ()
    ) {
        self.index = index
        self.code = code
    }

    package static var summary: String { "A fix that was not taken." }
    package static var fields: [Field<Self>] {
        [
            Field("index", \.index, "Its place in the ask, from 0."),
            Field("code", \.code, "The code of the refusal that it would have had alone."),
        ]
    }
}

extension Location.ReadPosition {
    package init(
        customer: PartyID,
        _: Void = ()
    ) {
        self.customer = customer
    }

    package static var summary: String { "The last position. For the customer alone, and for services." }
    package static var fields: [Field<Self>] {
        [
            Field("customer", \.customer),
        ]
    }
}

extension Location.Position: Shape {
    package init(
        latitude: Int64,
        longitude: Int64,
        time: Timestamp,
        expires: Timestamp,
        _: Void = ()
    ) {
        self.latitude = latitude
        self.longitude = longitude
        self.time = time
        self.expires = expires
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("latitude", \.latitude),
            Field("longitude", \.longitude),
            Field("time", \.time),
            Field("expires", \.expires, "When it is forgotten unless a newer one comes."),
        ]
    }
}

extension Location.ForgetPosition {
    package init(
        customer: PartyID,
        _: Void = ()
    ) {
        self.customer = customer
    }

    package static var summary: String { "Forgets the last position; fixes from before this moment do not bring one back." }
    package static var fields: [Field<Self>] {
        [
            Field("customer", \.customer),
        ]
    }
}

extension Location.ForgetPosition.Reply: Shape {
    package init(
        forgotten: Bool,
        _: Void = ()
    ) {
        self.forgotten = forgotten
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("forgotten", \.forgotten, "Whether there was one."),
        ]
    }
}

extension Location.SetSharing {
    package init(
        customer: PartyID,
        sharing: Bool,
        _: Void = ()
    ) {
        self.customer = customer
        self.sharing = sharing
    }

    package static var summary: String { "Begins or ends the sharing of a customer's position. Nobody shares before they said so; whoever ends it is forgotten at once." }
    package static var fields: [Field<Self>] {
        [
            Field("customer", \.customer),
            Field("sharing", \.sharing),
        ]
    }
}

extension Location.ReadSharing {
    package init(
        customer: PartyID,
        _: Void = ()
    ) {
        self.customer = customer
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("customer", \.customer),
        ]
    }
}

extension Location.SharingView: Shape {
    package init(
        customer: PartyID,
        sharing: Bool,
        keptSeconds: Int64,
        _: Void = ()
    ) {
        self.customer = customer
        self.sharing = sharing
        self.keptSeconds = keptSeconds
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("customer", \.customer),
            Field("sharing", \.sharing),
            Field("keptSeconds", \.keptSeconds, "How long a position is kept after its fix, where no newer one comes."),
        ]
    }
}

extension Location.PlaceView: Shape {
    package init(
        place: PlaceID,
        merchant: PartyID,
        name: String,
        latitude: Int64,
        longitude: Int64,
        _: Void = ()
    ) {
        self.place = place
        self.merchant = merchant
        self.name = name
        self.latitude = latitude
        self.longitude = longitude
    }

    package static var summary: String { "A place where a merchant does business; there may be several." }
    package static var fields: [Field<Self>] {
        [
            Field("place", \.place),
            Field("merchant", \.merchant),
            Field("name", \.name),
            Field("latitude", \.latitude),
            Field("longitude", \.longitude),
        ]
    }
}

extension Location.PutPlace {
    package init(
        place: PlaceID,
        merchant: PartyID,
        name: String,
        latitude: Int64,
        longitude: Int64,
        _: Void = ()
    ) {
        self.place = place
        self.merchant = merchant
        self.name = name
        self.latitude = latitude
        self.longitude = longitude
    }

    package static var summary: String { "Makes a place, or changes it. The merchant chooses its id." }
    package static var fields: [Field<Self>] {
        [
            Field("place", \.place),
            Field("merchant", \.merchant),
            Field("name", \.name, "What customers see: 1 to 100 bytes of UTF-8."),
            Field("latitude", \.latitude),
            Field("longitude", \.longitude),
        ]
    }
}

extension Location.RemovePlace {
    package init(
        place: PlaceID,
        merchant: PartyID,
        _: Void = ()
    ) {
        self.place = place
        self.merchant = merchant
    }

    package static var summary: String { "Removes a place. Removing one that is not there is no error." }
    package static var fields: [Field<Self>] {
        [
            Field("place", \.place),
            Field("merchant", \.merchant),
        ]
    }
}

extension Location.RemovePlace.Reply: Shape {
    package init(
        removed: Bool,
        _: Void = ()
    ) {
        self.removed = removed
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("removed", \.removed, "Whether there was one."),
        ]
    }
}

extension Location.ReadPlaces {
    package init(
        merchant: PartyID,
        _: Void = ()
    ) {
        self.merchant = merchant
    }

    package static var summary: String { "A merchant's own places, in the order in which they were made." }
    package static var fields: [Field<Self>] {
        [
            Field("merchant", \.merchant),
        ]
    }
}

extension Location.ReadPlaces.Reply: Shape {
    package init(
        places: [Location.PlaceView],
        _: Void = ()
    ) {
        self.places = places
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("places", \.places),
        ]
    }
}

extension Location.FindCustomers {
    package init(
        merchant: PartyID,
        place: PlaceID? = nil,
        freshSeconds: Int64? = nil,
        limit: Int,
        skip: Int64? = nil,
        _: Void = ()
    ) {
        self.merchant = merchant
        self.place = place
        self.freshSeconds = freshSeconds
        self.limit = limit
        self.skip = skip
    }

    package static var summary: String { "Customers within 0.10 km of a merchant's place, nearest first, at most `limit` behind the first `skip`. Only those who share, and whose fix is younger than ten minutes or than `freshSeconds`. It tells who is there and about how far away: distances are rounded up to 25 m. Whoever moves a place about finds out more." }
    package static var fields: [Field<Self>] {
        [
            Field("merchant", \.merchant),
            Field("place", \.place, "One of the merchant's own; all of them where it is absent, and then each customer at the nearest."),
            Field("freshSeconds", \.freshSeconds, "1 to 86,400: how old a fix may be. 86,400 stands for any age, as nothing is kept longer."),
            Field("limit", \.limit, "1 to 100."),
            Field("skip", \.skip, "So many of the nearest are passed over. People move while pages are turned: one may be missed or seen twice."),
        ]
    }
}

extension Location.FindCustomers.Reply: Shape {
    package init(
        customers: [Location.NearbyCustomer],
        total: Int64,
        next: Int64? = nil,
        _: Void = ()
    ) {
        self.customers = customers
        self.total = total
        self.next = next
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("customers", \.customers),
            Field("total", \.total, "The number of all, shown or not."),
            Field("next", \.next, "Ask for the next page with this as `skip`; absent when there is none."),
        ]
    }
}

extension Location.ProvePresence {
    package init(
        customer: PartyID,
        merchant: PartyID,
        place: PlaceID? = nil,
        _: Void = ()
    ) {
        self.customer = customer
        self.merchant = merchant
        self.place = place
    }

    package static var summary: String { "Whether a customer is at one of a merchant's places now, for a charge that is requested there. As near and as fresh as `location.customers.find.v1` would show the customer; the refusal says what is missing. For services and the merchant." }
    package static var fields: [Field<Self>] {
        [
            Field("customer", \.customer),
            Field("merchant", \.merchant),
            Field("place", \.place, "The nearest of the merchant's places where none is named."),
        ]
    }
}

extension Location.Presence: Shape {
    package init(
        place: PlaceID,
        distanceMetres: Int64,
        time: Timestamp,
        _: Void = ()
    ) {
        self.place = place
        self.distanceMetres = distanceMetres
        self.time = time
    }

    package static var summary: String { "That a customer was at a merchant's place." }
    package static var fields: [Field<Self>] {
        [
            Field("place", \.place),
            Field("distanceMetres", \.distanceMetres, "Rounded up to 25 m."),
            Field("time", \.time, "Of the fix."),
        ]
    }

    package func write(to writer: inout JSONWriter) { fastWrite(to: &writer) }
    package static func read(_ reader: inout JSONReader) throws(WireError) -> Self { try fastRead(&reader) }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("place", place)
        writer.field("distanceMetres", distanceMetres)
        writer.field("time", time)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var place: PlaceID?
        var distanceMetres: Int64?
        var time: Timestamp?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "place": try reader.take(&place, key)
            case "distanceMetres": try reader.take(&distanceMetres, key)
            case "time": try reader.take(&time, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            place: try required(place, "place"),
            distanceMetres: try required(distanceMetres, "distanceMetres"),
            time: try required(time, "time")
        )
    }
}

extension Location.NearbyCustomer: Shape {
    package init(
        customer: PartyID,
        username: String? = nil,
        place: PlaceID,
        distanceMetres: Int64,
        time: Timestamp,
        _: Void = ()
    ) {
        self.customer = customer
        self.username = username
        self.place = place
        self.distanceMetres = distanceMetres
        self.time = time
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("customer", \.customer),
            Field("username", \.username, "Absent while auth cannot be asked."),
            Field("place", \.place),
            Field("distanceMetres", \.distanceMetres, "Rounded up to 25 m."),
            Field("time", \.time, "Of the fix."),
        ]
    }
}

extension Location.FindNear {
    package init(
        merchants: [PartyID],
        latitude: Int64,
        longitude: Int64,
        radiusMetres: Int64,
        _: Void = ()
    ) {
        self.merchants = merchants
        self.latitude = latitude
        self.longitude = longitude
        self.radiusMetres = radiusMetres
    }

    package static var summary: String { "Which of some merchants have a place within a distance of a point, and how far it is. For services." }
    package static var fields: [Field<Self>] {
        [
            Field("merchants", \.merchants),
            Field("latitude", \.latitude, "Millionths of a degree."),
            Field("longitude", \.longitude),
            Field("radiusMetres", \.radiusMetres),
        ]
    }
}

extension Location.FindNear.Reply: Shape {
    package init(
        merchants: [Location.NearMerchant],
        _: Void = ()
    ) {
        self.merchants = merchants
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("merchants", \.merchants, "In no order."),
        ]
    }
}

extension Location.NearMerchant: Shape {
    package init(
        merchant: PartyID,
        distanceMetres: Int64,
        _: Void = ()
    ) {
        self.merchant = merchant
        self.distanceMetres = distanceMetres
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("merchant", \.merchant),
            Field("distanceMetres", \.distanceMetres, "To its nearest place, rounded up to whole metres."),
        ]
    }
}

extension Location.FindMerchants {
    package init(
        customer: PartyID,
        limit: Int,
        skip: Int64? = nil,
        _: Void = ()
    ) {
        self.customer = customer
        self.limit = limit
        self.skip = skip
    }

    package static var summary: String { "Places of approved merchants within 0.20 km of a customer's last position, nearest first, at most `limit` behind the first `skip`. A merchant with two of them near is there twice." }
    package static var fields: [Field<Self>] {
        [
            Field("customer", \.customer),
            Field("limit", \.limit, "1 to 100."),
            Field("skip", \.skip, "So many of the nearest are passed over."),
        ]
    }
}

extension Location.FindMerchants.Reply: Shape {
    package init(
        merchants: [Location.NearbyMerchant],
        total: Int64,
        next: Int64? = nil,
        _: Void = ()
    ) {
        self.merchants = merchants
        self.total = total
        self.next = next
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("merchants", \.merchants),
            Field("total", \.total, "The number of all, shown or not."),
            Field("next", \.next, "Ask for the next page with this as `skip`; absent when there is none."),
        ]
    }
}

extension Location.NearbyMerchant: Shape {
    package init(
        merchant: PartyID,
        username: String? = nil,
        merchantName: String? = nil,
        place: PlaceID,
        name: String,
        latitude: Int64,
        longitude: Int64,
        distanceMetres: Int64,
        _: Void = ()
    ) {
        self.merchant = merchant
        self.username = username
        self.merchantName = merchantName
        self.place = place
        self.name = name
        self.latitude = latitude
        self.longitude = longitude
        self.distanceMetres = distanceMetres
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("merchant", \.merchant),
            Field("username", \.username, "Absent while auth cannot be asked."),
            Field("merchantName", \.merchantName, "The merchant's name. Absent while auth cannot be asked."),
            Field("place", \.place),
            Field("name", \.name),
            Field("latitude", \.latitude),
            Field("longitude", \.longitude),
            Field("distanceMetres", \.distanceMetres, "Rounded up to whole metres."),
        ]
    }
}
