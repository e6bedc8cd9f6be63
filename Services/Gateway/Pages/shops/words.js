// Texts of merchants' pages. What a shop says of itself is its own.
export default {
  en: {
    "ways": "Shop", "way./": "Home", "way./history": "History", "way./about": "About", "shops": "Shops",
    "shops.empty": "Shops appear here once a merchant has written its page.",
    "log-in": "Sign in", "sign-in": "Sign in", "sign-out": "Sign out", "sign-in.first": "Sign in first",
    "login.lead": "Sign in with the account of your wallet.", "size": "Change font size",
    "settings.account": "Edit account information",
    "offline.shell": "What a shop says comes from the server, so this needs a connection. It opens by itself when the connection is back.",
    "fault.storefront.page_not_found": "This shop has no page.", "shops.all": "All shops",
  },
  de: {
    "ways": "Laden", "way./": "Start", "way./history": "Geschichte", "way./about": "Über uns", "shops": "Läden",
    "shops.empty": "Hier stehen Läden, sobald ein Händler seine Seite geschrieben hat.",
    "log-in": "Anmelden", "sign-in": "Anmelden", "sign-out": "Abmelden", "sign-in.first": "Zuerst anmelden",
    "login.lead": "Melden Sie sich mit dem Konto Ihrer Geldbörse an.", "size": "Schriftgröße ändern",
    "settings.account": "Kontodaten ändern",
    "offline.shell": "Was ein Laden zeigt, kommt vom Server, deshalb braucht es eine Verbindung. Die Seite öffnet sich von selbst, sobald sie steht.",
    "fault.storefront.page_not_found": "Dieser Laden hat keine Seite.", "shops.all": "Alle Läden",
  },
};
