import Primitives

extension Samples {
    package static let page = Storefront.Page(
        name: "Paulsen's Pharmacy", logo: "Paulsen's",
        theme: .init(paper: "#ffffff", ink: "#1b1b1b", accent: "#00558c"), welcome: "Good morning.",
        about: "A pharmacy in the neighbourhood.", address: "4246 NE Sandy Boulevard", phone: "+1 503 555 0112",
        zone: "America/Los_Angeles", hours: [.init(day: 1, opens: 540, closes: 1080)],
        events: [
            .init(date: CivilDate(year: 1918, month: 5, day: 1)!, name: "Opened", text: "The doors opened.")
        ])

    package static let pageView = Storefront.PageView(
        merchant: merchant, page: page, revision: 3, isOpen: true, onAccent: "#ffffff",
        isDark: false)
    /// Everything that a page can say.
    package static let hiddenPage = Storefront.PageView(
        merchant: merchant, page: page, revision: 3, isOpen: true, onAccent: "#ffffff", isDark: false, isHidden: true,
        logoImage: logoImage)
    package static let logoImage = Storefront.LogoImage(
        image: Storefront.LogoID(high: 0x0c1f_2a3b_4d5e_6f70, low: 0x8192_a3b4_c5d6_e7f8), kind: .png, width: 1,
        height: 1)
}
