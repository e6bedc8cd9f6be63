import Contracts
import Primitives
import Wire

/// One view of a merchant's pages, with its words in the reader's language. It holds all that a page or a script needs:
/// what is shown, and for each thing to press what to ask and where that leads.
package struct ShopScreen: WireMessage, Equatable {
    package enum View: String, Codable, Sendable, CaseIterable {
        case home, history, settings, about
    }

    package let view: View
    package let logo: String
    package let title: String
    /// At the top right: the way to Settings, on Home alone.
    package let corner: Press?
    package let back: Press?
    package let lines: [String]
    package let rows: [Row]
    /// The bar at the bottom.
    package let navigation: [Press]

    /// A row of a table or of the timeline.
    package struct Row: WireMessage, Equatable {
        package let label: String
        package let value: String?
        /// The text of an open event.
        package let detail: String?
        package let press: Press?
    }

    /// Something to press. `act` is asked first, if there is one; `to` is the path of the view that follows.
    package struct Press: WireMessage, Equatable {
        package let label: String
        /// Why it cannot be pressed; absent where it can be.
        package let disabled: String?
        package let act: Act?
        package let to: String

        init(label: String, disabled: String? = nil, act: Act? = nil, to: String) {
            self.label = label
            self.disabled = disabled
            self.act = act
            self.to = to
        }
    }

    /// A request of this interface. Without `body` the reader's own input goes there, if the request has a body.
    package struct Act: WireMessage, Equatable {
        package let method: String
        package let path: String
        package let body: NoticeSettings?
    }
}

/// The four views as values: what is shown follows from the page and from who reads it.
package struct ShopFlow: Sendable {
    let page: Storefront.PageView
    /// What the customer who is signed in is pushed; nil while nobody is signed in.
    let notices: NoticeSettings?
    let language: Language

    package init(page: Storefront.PageView, notices: NoticeSettings? = nil, language: Language = .en) {
        self.page = page
        self.notices = notices
        self.language = language
    }

    /// - Parameter open: positions of the events that are open, from 0.
    package func screen(_ view: ShopScreen.View, open: Set<Int> = []) -> ShopScreen {
        switch view {
        case .home:
            screen(
                view, corner: press(.settings),
                lines: [page.page.welcome, page.isOpen ? language.openNow : language.closedNow])
        case .history: screen(view, rows: timeline(open))
        case .settings: screen(view, back: press(.home), rows: settings)
        case .about: screen(view, lines: [page.page.about], rows: facts)
        }
    }

    private func timeline(_ wanted: Set<Int>) -> [ShopScreen.Row] {
        let open = wanted.intersection(page.page.events.indices)
        return page.page.events.enumerated().map { index, event in
            .init(
                label: event.name, value: language.date(event.date), detail: open.contains(index) ? event.text : nil,
                press: .init(label: event.name, to: path(.history, open: open.symmetricDifference([index]))))
        }
    }

    /// A row that ends where it began. Without a session it is disabled if it needs one.
    private func setting(
        _ label: String, value: String? = nil, needsSession: Bool = false, _ method: String? = nil, _ path: String = "",
        body: NoticeSettings? = nil
    ) -> ShopScreen.Row {
        .init(
            label: label, value: value, detail: nil,
            press: .init(
                label: label, disabled: needsSession && notices == nil ? language.signInFirst : nil,
                act: method.map { .init(method: $0, path: path, body: body) }, to: self.path(.settings)))
    }

    private var settings: [ShopScreen.Row] {
        let switched = notices.map { NoticeSettings(enabled: !$0.enabled, muted: $0.muted, quiet: $0.quiet) }
        return [
            notices == nil
                ? setting(language.signIn, "POST", "/v1/sessions")
                : setting(language.signOut, "DELETE", "/v1/sessions/current"),
            // Letters have one size in text: a page changes it for all views of its browser.
            setting(language.textSize),
            setting(
                language.notifications, value: notices.map { $0.enabled ? language.on : language.off },
                needsSession: true, "PUT", "/v1/settings/notices", body: switched),
            setting(language.editAccount, needsSession: true, "PUT", "/v1/settings/account")
        ]
    }

    private var facts: [ShopScreen.Row] {
        func row(_ label: String, _ value: String) -> ShopScreen.Row {
            .init(label: label, value: value, detail: nil, press: nil)
        }
        let hours = (1...7).map { day in
            let spans = page.page.hours.filter { $0.day == day }.map { "\(clock($0.opens))–\(clock($0.closes))" }
            return row(language.day(day), spans.isEmpty ? language.closed : spans.joined(separator: ", "))
        }
        return [row(language.address, page.page.address), row(language.phone, page.page.phone)] + hours
            + [row(language.now, page.isOpen ? language.openNow : language.closedNow)]
    }

    private func clock(_ minutes: Int) -> String {
        func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
        return "\(two(minutes / 60)):\(two(minutes % 60))"
    }

    private func press(_ view: ShopScreen.View) -> ShopScreen.Press {
        .init(label: language.name(of: view), to: path(view))
    }

    private func path(_ view: ShopScreen.View, open: Set<Int> = []) -> String {
        let list = open.sorted().map(String.init).joined(separator: ",")
        return "/v1/shops/\(page.merchant.hex)/view?language=\(language.rawValue)&view=\(view.rawValue)"
            + (open.isEmpty ? "" : "&open=\(list)")
    }

    private func screen(
        _ view: ShopScreen.View, corner: ShopScreen.Press? = nil, back: ShopScreen.Press? = nil, lines: [String] = [],
        rows: [ShopScreen.Row] = []
    ) -> ShopScreen {
        ShopScreen(
            view: view, logo: page.page.logo, title: language.name(of: view), corner: corner, back: back, lines: lines,
            rows: rows, navigation: [press(.home), press(.history), press(.about)])
    }
}
