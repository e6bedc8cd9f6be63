import Primitives
import Wire

/// Merchants' own pages: what Home and About say, a history, opening hours, a theme.
package enum Storefront: StateOwner {
    package static let service = "storefront"
    package static var sample: any Fact { PageChanged.examples.fact }

    /// Writes a merchant's whole page. Colours that are hard to read are refused.
    package struct SetPage: Ask, Equatable {
        package static let type: MessageType = "storefront.page.set.v1"
        package static let effect: Effect<Self> = .idempotent
        package static let access: Access<Self> = .only(\.merchant, .merchant)
        package static let faults: [FaultCode] = [.pageInvalid, .contrastTooLow, .pageMerchantNotFound]
        package static var examples: Examples<Self> {
            Examples(
                Self(merchant: Samples.merchant, page: Samples.page), reply: Samples.hiddenPage,
                bareReply: Samples.pageView)
        }
        package typealias Reply = PageView

        package let merchant: PartyID
        package let page: Page
    }

    /// Shows what a page would be, with the refusals of `SetPage`. Nothing is kept.
    package struct ReadPreview: Ask, Equatable {
        package static let type: MessageType = "storefront.preview.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .only(\.merchant, .merchant)
        package static let faults: [FaultCode] = [.pageInvalid, .contrastTooLow]
        package static var examples: Examples<Self> {
            Examples(
                Self(merchant: Samples.merchant, page: Samples.page), reply: Samples.hiddenPage,
                bareReply: Samples.pageView)
        }
        package typealias Reply = PageView

        package let merchant: PartyID
        package let page: Page
    }

    /// Reads a merchant's page. While no administrator has approved the merchant, nobody else learns that there is one.
    package struct ReadPage: Ask, Equatable {
        package static let type: MessageType = "storefront.page.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .anyone
        package static let faults: [FaultCode] = [.pageNotFound]
        package static var examples: Examples<Self> {
            Examples(Self(merchant: Samples.merchant), reply: Samples.hiddenPage, bareReply: Samples.pageView)
        }
        package typealias Reply = PageView

        package let merchant: PartyID
    }

    /// Replaces a merchant's logo: letters give way to an image, and an image to the letters where none is given.
    ///
    /// The image is a PNG or a JPEG of at most 9,000 bytes and 256 by 256 pixels. It is written anew from the parts
    /// that make up the picture; comments, places and profiles are left out.
    package struct SetLogo: Ask, Equatable {
        package static let type: MessageType = "storefront.logo.set.v1"
        package static let effect: Effect<Self> = .idempotent
        package static let access: Access<Self> = .only(\.merchant, .merchant)
        package static let limits: [Limit<Self>] = [
            .text(\.data, 1...ImageFile.base64Max, or: .logoInvalid, example: "/9j/4AAQSkZJRgABAQ…")
        ]
        package static let faults: [FaultCode] = [.logoInvalid, .pageMerchantNotFound]
        package static var examples: Examples<Self> {
            Examples(
                Self(merchant: Samples.merchant, data: Samples.pixel), bare: Self(merchant: Samples.merchant),
                reply: Reply(logo: Samples.logoImage), bareReply: Reply())
        }

        package struct Reply: WireMessage, Equatable {
            package let logo: LogoImage?
        }

        package let merchant: PartyID
        /// The file in base64 (RFC 4648, section 4).
        package let data: String?
    }

    /// Reads the image that is a merchant's logo. Whoever may read the page may read it.
    package struct ReadLogo: Ask, Equatable {
        package static let type: MessageType = "storefront.logo.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .anyone
        package static let faults: [FaultCode] = [.logoNotFound]
        package static var examples: Examples<Self> {
            Examples(
                Self(merchant: Samples.merchant),
                reply: Reply(logo: Samples.logoImage, data: Samples.pixel))
        }

        package struct Reply: WireMessage, Equatable {
            package let logo: LogoImage
            /// The file in base64.
            package let data: String
        }

        package let merchant: PartyID
    }

    package enum Logo {}
    package typealias LogoID = Identifier<Logo>

    package struct LogoImage: WireMessage, Equatable {
        /// Follows from its bytes: another image has another id.
        package let image: LogoID
        package let kind: ImageKind
        /// In pixels, 256 at most.
        package let width: Int64
        /// In pixels, 256 at most.
        package let height: Int64
    }

    /// The approved merchants that have pages, by name.
    package struct ReadPages: Ask, Equatable {
        package static let type: MessageType = "storefront.pages.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .anyone
        package static let limits: [Limit<Self>] = [
            .number(\.skip, 0...100_000, example: 20), .number(\.limit, 1...100, example: 20)
        ]
        package static let faults: [FaultCode] = []
        package static var examples: Examples<Self> {
            Examples(
                Self(skip: 0, limit: 20),
                reply: Reply(pages: [PageTitle(merchant: Samples.merchant, name: "Paulsen's Pharmacy")], next: 1),
                bareReply: Reply(pages: [], next: nil))
        }

        package struct Reply: WireMessage, Equatable {
            package let pages: [PageTitle]
            /// Ask for the next page with this as `skip`; absent when there is none.
            package let next: Int?
        }

        package let skip: Int
        /// 1 to 100.
        package let limit: Int
    }

    /// A merchant that has a page.
    package struct PageTitle: WireMessage, Equatable {
        package let merchant: PartyID
        package let name: String
    }

    /// A page as readers get it.
    package struct PageView: WireMessage, Equatable {
        package let merchant: PartyID
        /// With its events newest first, and its hours by day.
        package let page: Page
        /// Counts changes, from 1; 0 in a preview.
        package let revision: Int64
        /// Whether the shop is open at this moment, in its own zone.
        package let isOpen: Bool
        /// The colour of words on the accent, `#ffffff` or `#000000`.
        package let onAccent: String
        /// Whether `paper` is the darker one of paper and ink.
        package let isDark: Bool
        /// True while no administrator has approved the merchant: customers do not see the page. Absent where they do.
        package let isHidden: Bool?
        /// Where the logo is an image; absent where it is the page's letters.
        package let logoImage: LogoImage?
    }

    /// All that a merchant writes about its shop, in its own words.
    package struct Page: WireMessage, Equatable {
        package static let limits: [Limit<Self>] = [
            .text(\.name, 1...60, or: .pageInvalid, example: "Paulsen's Pharmacy"),
            .text(\.logo, 1...40, or: .pageInvalid, example: "Paulsen's"),
            .text(\.welcome, 1...500, or: .pageInvalid, example: "Good morning."),
            .text(\.about, 1...1000, or: .pageInvalid, example: "A pharmacy in the neighbourhood."),
            .text(\.address, 1...200, or: .pageInvalid, example: "4246 NE Sandy Boulevard"),
            .text(\.phone, 1...40, or: .pageInvalid, example: "+1 503 555 0112"),
            .text(\.zone, 1...64, or: .pageInvalid, example: "America/Los_Angeles"),
            .count(\.hours, 0...21, or: .pageInvalid), .count(\.events, 0...60, or: .pageInvalid)
        ]

        /// The shop's name, at the head of each view.
        package let name: String
        /// The logo in letters: they are shown where there is no image, and read out where there is one.
        package let logo: String
        package let theme: Theme
        /// What Home says.
        package let welcome: String
        /// What About says.
        package let about: String
        package let address: String
        package let phone: String
        /// The shop's zone, by its name in the IANA database: the hours are in it.
        package let zone: String
        package let hours: [Hours]
        package let events: [Event]
    }

    /// Three colours, `#rrggbb`. Words in ink and in accent stand on paper, so both need a contrast of 4.5 with it.
    package struct Theme: WireMessage, Equatable {
        package static let limits: [Limit<Self>] = [
            .text(\.paper, 7...7, or: .pageInvalid, example: "#ffffff"),
            .text(\.ink, 7...7, or: .pageInvalid, example: "#1b1b1b"),
            .text(\.accent, 7...7, or: .pageInvalid, example: "#00558c")
        ]

        package let paper: String
        package let ink: String
        package let accent: String
    }

    /// When the shop is open on one day of the week. A day may have several; one without any is closed.
    package struct Hours: WireMessage, Equatable {
        package static let limits: [Limit<Self>] = [
            .number(\.day, 1...7, or: .pageInvalid, example: 1),
            .number(\.opens, 0...1439, or: .pageInvalid, example: 540),
            .number(\.closes, 1...1440, or: .pageInvalid, example: 1080)
        ]

        /// 1 is Monday, 7 is Sunday.
        package let day: Int
        /// Minutes of the day.
        package let opens: Int
        /// Later on the same day; 1440 is midnight.
        package let closes: Int
    }

    /// A noteworthy day of the shop's history.
    package struct Event: WireMessage, Equatable {
        package static let limits: [Limit<Self>] = [
            .text(\.name, 1...80, or: .pageInvalid, example: "Opened"),
            .text(\.text, 1...600, or: .pageInvalid, example: "The doors opened.")
        ]

        package let date: CivilDate
        package let name: String
        /// A short paragraph.
        package let text: String
    }

    /// A merchant has written another page.
    package struct PageChanged: Fact, Equatable {
        package static let type: MessageType = "storefront.page.changed.v1"
        package static var examples: FactExamples<Self> {
            FactExamples(
                Self(
                    merchant: Samples.merchant, name: "Paulsen's Pharmacy", revision: 3, time: Samples.time))
        }

        package let merchant: PartyID
        package let name: String
        package let revision: Int64
        package let time: Timestamp
    }
}
