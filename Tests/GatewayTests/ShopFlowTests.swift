import Contracts
import GatewayService
import Primitives
import Testing

/// The views of document 003 as values.
@Suite("A merchant's pages")
struct ShopFlowTests {
    private static let on = NoticeSettings(enabled: true, muted: [], quiet: nil)

    private func flow(notices: NoticeSettings? = nil, _ language: Language = .en, events: Int = 2) -> ShopFlow {
        let sample = Samples.page
        let all = [(2016, "The app"), (1918, "Opened")].map { year, name in
            Storefront.Event(
                date: CivilDate(year: year, month: 11, day: 12)!, name: name, text: "It happened in \(year), they say.")
        }
        let page = Storefront.Page(
            name: sample.name, logo: sample.logo, theme: sample.theme, welcome: sample.welcome, about: sample.about,
            address: sample.address, phone: sample.phone, zone: sample.zone, hours: sample.hours,
            events: Array(all.prefix(events)))
        return ShopFlow(
            page: .init(
                merchant: Samples.merchant, page: page, revision: 1, isOpen: true,
                onAccent: "#ffffff", isDark: false),
            notices: notices, language: language)
    }

    @Test(
        "are Home, History, Settings and About; the bar leads to three of them, Home's corner to Settings (003-1 to 003-3)"
    )
    func navigation() {
        for view in ShopScreen.View.allCases {
            let screen = flow().screen(view)
            #expect(screen.navigation.map(\.label) == ["Home", "History", "About"])
            #expect(screen.corner?.label == (view == .home ? "Settings" : nil))
            #expect(screen.back?.label == (view == .settings ? "Home" : nil), "A72")
            #expect(screen.logo == Samples.page.logo, "003-6")
        }
        #expect(flow().screen(.home).corner?.to.hasSuffix("view=settings") == true)
    }

    @Test("show name and date of each event, and what it says when it is open (003-9, 003-10)")
    func timeline() {
        #expect(flow().screen(.history).rows.map(\.detail) == [nil, nil])
        #expect(flow().screen(.history).rows.map(\.value) == ["November 12, 2016", "November 12, 1918"])
        let open = flow().screen(.history, open: [0, 1])
        #expect(open.rows.map(\.detail) == ["It happened in 2016, they say.", "It happened in 1918, they say."])
        #expect(open.rows[0].press?.to.hasSuffix("&open=1") == true, "A68: a touch closes it again")
        #expect(flow().screen(.history).rows[1].press?.to.hasSuffix("&open=1") == true)
    }

    @Test("offer signing in or signing out, never both; the account waits for a session (003-11 to 003-15, A69, A70)")
    func settings() {
        let without = flow().screen(.settings).rows
        #expect(without.map(\.label) == ["Sign in", "Change font size", "Notifications", "Edit account information"])
        #expect(without.map { $0.press?.disabled } == [nil, nil, "Sign in first", "Sign in first"])
        let with = flow(notices: Self.on).screen(.settings).rows
        #expect(with.map(\.label) == ["Sign out", "Change font size", "Notifications", "Edit account information"])
        #expect(with.allSatisfy { $0.press?.disabled == nil })
        #expect(with[2].value == "on" && with[2].press?.act?.body?.enabled == false)
    }

    @Test("keep what else a customer has set when notifications are switched (A85)")
    func notices() {
        let set = NoticeSettings(enabled: false, muted: [.offer], quiet: .sample)
        let row = flow(notices: set).screen(.settings).rows[2]
        #expect(row.value == "off")
        #expect(row.press?.act?.body == .init(enabled: true, muted: set.muted, quiet: set.quiet))
    }

    @Test("say address, phone and hours of each day (003-16)")
    func about() {
        let rows = flow().screen(.about).rows
        #expect(rows.map(\.label).prefix(3) == ["Address", "Phone", "Monday"])
        #expect(rows[2].value == "09:00–18:00" && rows[3].value == "closed" && rows.last?.value == "Open now")
    }

    @Test("fit into lines of 40, 80 and 120 columns (A67)", arguments: [20, 40, 80, 120])
    func columns(count: Int) {
        for view in ShopScreen.View.allCases {
            for language in Language.allCases {
                let text = flow(language).screen(view, open: [0]).text(columns: count)
                // The bar is one line: its three words are never broken.
                for line in text.split(separator: "\n") where !line.hasPrefix("[Home]") && !line.hasPrefix("[Start]") {
                    #expect(line.count <= max(count, 30), "\(line)")
                }
            }
        }
    }

    @Test("speak German (A84)")
    func german() {
        let screen = flow(.de).screen(.history)
        #expect(screen.title == "Geschichte" && screen.rows[1].value == "12. November 1918")
    }
}
