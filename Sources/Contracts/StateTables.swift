import Wire

/// The tables that are a service's state, as `state.follow` names them. A column is written as its name and its kind.
extension StateTable {
    /// - Parameters:
    ///   - key: the columns that tell rows apart, separated by commas.
    ///   - others: the other columns, in the same way.
    package init(_ name: String, key: String, _ others: String = "") {
        func columns(_ text: String, isKey: Bool) -> [StateColumn] {
            text.split(separator: ",").map { column in
                let words = column.split(separator: " ").map(String.init)
                return StateColumn(name: words[0], kind: words[1], isKey: isKey)
            }
        }
        self.init(name: name, columns: columns(key, isKey: true) + columns(others, isKey: false))
    }
}

extension Auth {
    package static let stateTables = [
        StateTable(
            "accounts", key: "id bytes",
            "role text, username text, name text, password text, fingerprint bytes, created integer, simulated "
                + "integer"),
        StateTable("approvals", key: "account bytes", "status text, reason text, decided integer"),
        StateTable("holds", key: "account bytes", "until integer"),
        StateTable(
            "letters", key: "id bytes",
            "account bytes, email text, credential text, time integer, expires integer"),
        StateTable("logins", key: "name bytes", "failures integer, next_try integer, last_try integer"),
        StateTable("pins", key: "account bytes", "hash text, failures integer, next_try integer, locked integer"),
        StateTable("product_types", key: "account bytes, place integer", "type text"),
        StateTable(
            "profiles", key: "account bytes",
            "first_name text, last_name text, email text, birthdate text, gender text, student integer, "
                + "business_name text, address text"),
        StateTable("reminders", key: "id bytes", "email text, expires integer"),
        StateTable("resets", key: "id bytes", "account bytes, expires integer, sent integer"),
        StateTable("restorations", key: "id bytes", "account bytes, email text, changed integer, expires integer"),
        StateTable(
            "sessions", key: "digest bytes",
            "id bytes, account bytes, created integer, expires integer, pin_verified_until integer, client text")
    ]
}

extension Payments {
    package static let stateTables = [
        StateTable("charge_rows", key: "key bytes", "place integer"),
        StateTable("charge_rows_follow", key: "one integer", "through integer"),
        StateTable(
            "charges", key: "row integer",
            "id bytes, state integer, merchant bytes, customer bytes, amount integer, currency text, memo text, "
                + "requested integer, expires integer, decided integer, card bytes, card_balance integer, entry "
                + "integer, refunded integer, coupon bytes, discount integer, place bytes, place_metres integer, "
                + "place_time integer, customer_before integer, merchant_before integer, merchant_name text"),
        StateTable("cursors", key: "source text", "sequence integer, mark bytes"),
        StateTable("disabled", key: "customer bytes"),
        StateTable("former_parties", key: "charge integer, party bytes", "before integer"),
        StateTable("newest_charges", key: "key bytes", "place integer"),
        StateTable("newest_charges_follow", key: "one integer", "through integer"),
        StateTable("paid_requests", key: "customer bytes, merchant bytes"),
        StateTable("permissions", key: "customer bytes, merchant bytes"),
        StateTable("redemptions", key: "attempt bytes", "code bytes, time integer, content bytes"),
        StateTable("requests", key: "party bytes, moment integer, charge integer"),
        StateTable("requests_follow", key: "one integer", "through integer"),
        StateTable("typed_codes", key: "digest bytes", "id bytes, customer bytes, card bytes, expires integer")
    ]
}

extension Location {
    package static let stateTables = [
        StateTable("alive", key: "one integer", "time integer"),
        StateTable(
            "places", key: "number integer",
            "id bytes, merchant bytes, name text, latitude integer, longitude integer"),
        StateTable("sharing", key: "customer bytes", "since integer"),
        StateTable("visits", key: "customer bytes, place bytes", "merchant bytes, entered integer, dwelled integer"),
        traces
    ]

    /// What is known of a customer in memory only.
    package static let traces = StateTable(
        "traces", key: "customer bytes",
        "newest integer, published integer, latitude integer, longitude integer, time integer")
}

extension Offers {
    package static let stateTables = [
        StateTable(
            "accounts", key: "account bytes",
            "role text, username text, name text, birthdate text, gender text, student integer, status text"),
        StateTable("cursors", key: "source text", "sequence integer, mark bytes"),
        StateTable("histories", key: "customer bytes, merchant bytes", "visits integer, last integer, stars integer"),
        StateTable("looks", key: "offer bytes, customer bytes", "time integer"),
        StateTable("members", key: "customer bytes", "since integer"),
        StateTable(
            "offers", key: "number integer",
            "id bytes, kind text, merchant bytes, terms bytes, accepted text, reason text, enabled integer, "
                + "revision integer, submission bytes, submitted integer, decided integer, expires integer, send_time "
                + "integer, pushed integer, last_approved bytes"),
        StateTable("paid", key: "charge bytes"),
        StateTable("preferences", key: "customer bytes", "body bytes"),
        StateTable("products", key: "product_index integer", "merchant bytes, type text"),
        StateTable("pushes", key: "id bytes", "offer bytes, place bytes, nearby integer, sent integer"),
        StateTable(
            "reservations", key: "number integer",
            "coupon bytes, charge bytes, customer bytes, merchant bytes, amount integer, discount integer, "
                + "currency text, stars integer, title text, expires integer, state integer, time integer"),
        StateTable("sends", key: "offer bytes, customer bytes", "time integer"),
        StateTable("subscriptions", key: "customer bytes, merchant bytes", "ads integer, coupons integer")
    ]
}

extension Routines {
    package static let stateTables = [
        StateTable(
            "actions", key: "routine integer, number integer",
            "text text, emoji text, images text, minutes integer, priority text"),
        StateTable(
            "day_actions", key: "day integer, entry integer, number integer",
            "text text, emoji text, images text, minutes integer, priority text, done integer"),
        StateTable(
            "days", key: "number integer",
            "id bytes, account bytes, date text, zone text, fingerprint bytes, created integer, gone integer, "
                + "language text"),
        StateTable(
            "entries", key: "day integer, number integer",
            "routine bytes, text text, emoji text, images text, tag text, quiet integer, start integer, minutes "
                + "integer, begins integer, ends integer, until integer, reminded integer"),
        StateTable(
            "images", key: "number integer",
            "id bytes, account bytes, kind text, width integer, height integer, bytes bytes, fingerprint bytes, "
                + "gone integer"),
        StateTable("profiles", key: "account bytes", "colour text"),
        StateTable(
            "routines", key: "number integer",
            "id bytes, account bytes, place integer, name text, text text, emoji text, images text, tag text, "
                + "quiet integer, fingerprint bytes, created integer, gone integer")
    ]
}

extension Ordering {
    package static let stateTables = [
        StateTable("items", key: "place integer", "id bytes, ordered bytes, owner bytes, line bytes"),
        StateTable("menus", key: "merchant bytes", "name text, menu bytes, revision integer, changed integer"),
        StateTable(
            "orders", key: "place integer",
            "id bytes, customer bytes, customer_name text, merchant bytes, merchant_name text, country bytes, "
                + "state text, begun integer, settles integer, number integer, paid integer, ready integer, entry "
                + "integer, successor bytes, closed integer")
    ]
}

extension Storefront {
    package static let stateTables = [
        StateTable("logos", key: "merchant bytes", "kind text, width integer, height integer, bytes bytes"),
        StateTable("pages", key: "merchant bytes", "name text, page bytes, revision integer")
    ]
}

extension Notifications {
    package static let stateTables = [
        StateTable("cursors", key: "source text", "sequence integer, mark bytes"),
        StateTable(
            "deliveries", key: "number integer",
            "id bytes, notice bytes, account bytes, type integer, endpoint bytes, address text, lane bytes, kind "
                + "integer, title text, text text, link text, created integer, expires integer, state integer, attempts "
                + "integer, due integer, reason text, finished integer, fingerprint bytes, simulated text"),
        StateTable(
            "endpoints", key: "number integer",
            "id bytes, account bytes, type integer, address text, p256dh bytes, auth bytes, secret bytes, created "
                + "integer, gone integer"),
        StateTable("inboxes", key: "account bytes", "newest integer, kept integer"),
        StateTable(
            "incoming", key: "place integer",
            "account bytes, number integer, id bytes, kind integer, title text, text text, link text, time "
                + "integer, sender bytes"),
        StateTable(
            "notices", key: "account bytes, number integer",
            "id bytes, kind integer, title text, text text, link text, time integer, read integer, sender bytes"),
        StateTable("quiet_routines", key: "account bytes", "until integer"),
        StateTable("read_again", key: "source text", "through integer"),
        StateTable(
            "settings", key: "account bytes",
            "enabled integer, muted integer, quiet_from integer, quiet_until integer, quiet_offset integer, "
                + "quiet_zone text")
    ]
}
