import Contracts
import Primitives

/// The words of merchants' pages.
extension Language {
    func name(of view: ShopScreen.View) -> String {
        switch view {
        case .home: self == .en ? "Home" : "Start"
        case .history: self == .en ? "History" : "Geschichte"
        case .settings: self == .en ? "Settings" : "Einstellungen"
        case .about: self == .en ? "About" : "Über uns"
        }
    }

    var openNow: String { self == .en ? "Open now" : "Jetzt geöffnet" }
    var closedNow: String { self == .en ? "Closed now" : "Jetzt geschlossen" }
    var closed: String { self == .en ? "closed" : "geschlossen" }
    var signIn: String { self == .en ? "Sign in" : "Anmelden" }
    var signOut: String { self == .en ? "Sign out" : "Abmelden" }
    var signInFirst: String { self == .en ? "Sign in first" : "Zuerst anmelden" }
    var textSize: String { self == .en ? "Change font size" : "Schriftgröße ändern" }
    var notifications: String { self == .en ? "Notifications" : "Mitteilungen" }
    var on: String { self == .en ? "on" : "an" }
    var off: String { self == .en ? "off" : "aus" }
    var editAccount: String { self == .en ? "Edit account information" : "Kontodaten ändern" }
    var address: String { self == .en ? "Address" : "Adresse" }
    var phone: String { self == .en ? "Phone" : "Telefon" }
    var now: String { self == .en ? "Now" : "Jetzt" }

    /// 1 is Monday.
    func day(_ number: Int) -> String {
        let names =
            self == .en
            ? ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
            : ["Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"]
        return names[number - 1]
    }

    func date(_ date: CivilDate) -> String {
        let months =
            self == .en
            ? [
                "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
                "November", "December"
            ]
            : [
                "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober",
                "November", "Dezember"
            ]
        let month = months[date.month - 1]
        return self == .en ? "\(month) \(date.day), \(date.year)" : "\(date.day). \(month) \(date.year)"
    }
}
