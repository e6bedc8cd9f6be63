// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Primitives
import Wire

extension Storefront {
    package static var summary: String { "Merchants' own pages: what Home and About say, a history, opening hours, a theme." }
}

extension Storefront.SetPage {
    package init(
        merchant: PartyID,
        page: Storefront.Page,
        _: Void = ()
    ) {
        self.merchant = merchant
        self.page = page
    }

    package static var summary: String { "Writes a merchant's whole page. Colours that are hard to read are refused." }
    package static var fields: [Field<Self>] {
        [
            Field("merchant", \.merchant),
            Field("page", \.page),
        ]
    }
    package static let parts: [Limit<Self>] = [
        .within(\.page),
    ]
}

extension Storefront.ReadPreview {
    package init(
        merchant: PartyID,
        page: Storefront.Page,
        _: Void = ()
    ) {
        self.merchant = merchant
        self.page = page
    }

    package static var summary: String { "Shows what a page would be, with the refusals of `storefront.page.set.v1`. Nothing is kept." }
    package static var fields: [Field<Self>] {
        [
            Field("merchant", \.merchant),
            Field("page", \.page),
        ]
    }
    package static let parts: [Limit<Self>] = [
        .within(\.page),
    ]
}

extension Storefront.ReadPage {
    package init(
        merchant: PartyID,
        _: Void = ()
    ) {
        self.merchant = merchant
    }

    package static var summary: String { "Reads a merchant's page. While no administrator has approved the merchant, nobody else learns that there is one." }
    package static var fields: [Field<Self>] {
        [
            Field("merchant", \.merchant),
        ]
    }
}

extension Storefront.SetLogo {
    package init(
        merchant: PartyID,
        data: String? = nil,
        _: Void = ()
    ) {
        self.merchant = merchant
        self.data = data
    }

    package static var summary: String { "Replaces a merchant's logo: letters give way to an image, and an image to the letters where none is given. The image is a PNG or a JPEG of at most 9,000 bytes and 256 by 256 pixels. It is written anew from the parts that make up the picture; comments, places and profiles are left out." }
    package static var fields: [Field<Self>] {
        [
            Field("merchant", \.merchant),
            Field("data", \.data, "The file in base64 (RFC 4648, section 4)."),
        ]
    }
}

extension Storefront.SetLogo.Reply: Shape {
    package init(
        logo: Storefront.LogoImage? = nil,
        _: Void = ()
    ) {
        self.logo = logo
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("logo", \.logo),
        ]
    }
}

extension Storefront.ReadLogo {
    package init(
        merchant: PartyID,
        _: Void = ()
    ) {
        self.merchant = merchant
    }

    package static var summary: String { "Reads the image that is a merchant's logo. Whoever may read the page may read it." }
    package static var fields: [Field<Self>] {
        [
            Field("merchant", \.merchant),
        ]
    }
}

extension Storefront.ReadLogo.Reply: Shape {
    package init(
        logo: Storefront.LogoImage,
        data: String,
        _: Void = ()
    ) {
        self.logo = logo
        self.data = data
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("logo", \.logo),
            Field("data", \.data, "The file in base64."),
        ]
    }
}

extension Storefront.LogoImage: Shape {
    package init(
        image: Storefront.LogoID,
        kind: ImageKind,
        width: Int64,
        height: Int64,
        _: Void = ()
    ) {
        self.image = image
        self.kind = kind
        self.width = width
        self.height = height
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("image", \.image, "Follows from its bytes: another image has another id."),
            Field("kind", \.kind),
            Field("width", \.width, "In pixels, 256 at most."),
            Field("height", \.height, "In pixels, 256 at most."),
        ]
    }
}

extension Storefront.ReadPages {
    package init(
        skip: Int,
        limit: Int,
        _: Void = ()
    ) {
        self.skip = skip
        self.limit = limit
    }

    package static var summary: String { "The approved merchants that have pages, by name." }
    package static var fields: [Field<Self>] {
        [
            Field("skip", \.skip),
            Field("limit", \.limit, "1 to 100."),
        ]
    }
}

extension Storefront.ReadPages.Reply: Shape {
    package init(
        pages: [Storefront.PageTitle],
        next: Int? = nil,
        _: Void = ()
    ) {
        self.pages = pages
        self.next = next
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("pages", \.pages),
            Field("next", \.next, "Ask for the next page with this as `skip`; absent when there is none."),
        ]
    }
}

extension Storefront.PageTitle: Shape {
    package init(
        merchant: PartyID,
        name: String,
        _: Void = ()
    ) {
        self.merchant = merchant
        self.name = name
    }

    package static var summary: String { "A merchant that has a page." }
    package static var fields: [Field<Self>] {
        [
            Field("merchant", \.merchant),
            Field("name", \.name),
        ]
    }
}

extension Storefront.PageView: Shape {
    package init(
        merchant: PartyID,
        page: Storefront.Page,
        revision: Int64,
        isOpen: Bool,
        onAccent: String,
        isDark: Bool,
        isHidden: Bool? = nil,
        logoImage: Storefront.LogoImage? = nil,
        _: Void = ()
    ) {
        self.merchant = merchant
        self.page = page
        self.revision = revision
        self.isOpen = isOpen
        self.onAccent = onAccent
        self.isDark = isDark
        self.isHidden = isHidden
        self.logoImage = logoImage
    }

    package static var summary: String { "A page as readers get it." }
    package static var fields: [Field<Self>] {
        [
            Field("merchant", \.merchant),
            Field("page", \.page, "With its events newest first, and its hours by day."),
            Field("revision", \.revision, "Counts changes, from 1; 0 in a preview."),
            Field("isOpen", \.isOpen, "Whether the shop is open at this moment, in its own zone."),
            Field("onAccent", \.onAccent, "The colour of words on the accent, `#ffffff` or `#000000`."),
            Field("isDark", \.isDark, "Whether `paper` is the darker one of paper and ink."),
            Field("isHidden", \.isHidden, "True while no administrator has approved the merchant: customers do not see the page. Absent where they do."),
            Field("logoImage", \.logoImage, "Where the logo is an image; absent where it is the page's letters."),
        ]
    }
    package static let parts: [Limit<Self>] = [
        .within(\.page),
    ]
}

extension Storefront.Page: Shape {
    package init(
        name: String,
        logo: String,
        theme: Storefront.Theme,
        welcome: String,
        about: String,
        address: String,
        phone: String,
        zone: String,
        hours: [Storefront.Hours],
        events: [Storefront.Event],
        _: Void = ()
    ) {
        self.name = name
        self.logo = logo
        self.theme = theme
        self.welcome = welcome
        self.about = about
        self.address = address
        self.phone = phone
        self.zone = zone
        self.hours = hours
        self.events = events
    }

    package static var summary: String { "All that a merchant writes about its shop, in its own words." }
    package static var fields: [Field<Self>] {
        [
            Field("name", \.name, "The shop's name, at the head of each view."),
            Field("logo", \.logo, "The logo in letters: they are shown where there is no image, and read out where there is one."),
            Field("theme", \.theme),
            Field("welcome", \.welcome, "What Home says."),
            Field("about", \.about, "What About says."),
            Field("address", \.address),
            Field("phone", \.phone),
            Field("zone", \.zone, "The shop's zone, by its name in the IANA database: the hours are in it."),
            Field("hours", \.hours),
            Field("events", \.events),
        ]
    }
    package static let parts: [Limit<Self>] = [
        .within(\.theme),
        .each(\.hours),
        .each(\.events),
    ]
}

extension Storefront.Theme: Shape {
    package init(
        paper: String,
        ink: String,
        accent: String,
        _: Void = ()
    ) {
        self.paper = paper
        self.ink = ink
        self.accent = accent
    }

    package static var summary: String { "Three colours, `#rrggbb`. Words in ink and in accent stand on paper, so both need a contrast of 4.5 with it." }
    package static var fields: [Field<Self>] {
        [
            Field("paper", \.paper),
            Field("ink", \.ink),
            Field("accent", \.accent),
        ]
    }
}

extension Storefront.Hours: Shape {
    package init(
        day: Int,
        opens: Int,
        closes: Int,
        _: Void = ()
    ) {
        self.day = day
        self.opens = opens
        self.closes = closes
    }

    package static var summary: String { "When the shop is open on one day of the week. A day may have several; one without any is closed." }
    package static var fields: [Field<Self>] {
        [
            Field("day", \.day, "1 is Monday, 7 is Sunday."),
            Field("opens", \.opens, "Minutes of the day."),
            Field("closes", \.closes, "Later on the same day; 1440 is midnight."),
        ]
    }
}

extension Storefront.Event: Shape {
    package init(
        date: CivilDate,
        name: String,
        text: String,
        _: Void = ()
    ) {
        self.date = date
        self.name = name
        self.text = text
    }

    package static var summary: String { "A noteworthy day of the shop's history." }
    package static var fields: [Field<Self>] {
        [
            Field("date", \.date),
            Field("name", \.name),
            Field("text", \.text, "A short paragraph."),
        ]
    }
}

extension Storefront.PageChanged {
    package init(
        merchant: PartyID,
        name: String,
        revision: Int64,
        time: Timestamp,
        _: Void = ()
    ) {
        self.merchant = merchant
        self.name = name
        self.revision = revision
        self.time = time
    }

    package static var summary: String { "A merchant has written another page." }
    package static var fields: [Field<Self>] {
        [
            Field("merchant", \.merchant),
            Field("name", \.name),
            Field("revision", \.revision),
            Field("time", \.time),
        ]
    }
}
