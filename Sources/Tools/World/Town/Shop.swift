import Primitives

/// A merchant of the town.
package struct Shop: Sendable {
    package let username: String
    package let name: String
    package let address: String
    /// Names of the one list of categories.
    package let categories: [String]
    package let point: Coordinate
    package let goods: [Good]
    package let offers: [ShopOffer]

    init(
        _ username: String, _ name: String, _ address: String, _ categories: [String], at point: (Int32, Int32),
        sells goods: [Good], offers: [ShopOffer]
    ) {
        self.username = username
        self.name = name
        self.address = "\(address), Flagstaff"
        self.categories = categories
        self.point = Coordinate(checkedLatitude: point.0, longitude: point.1)
        self.goods = goods
        self.offers = offers
    }
}

package struct Good: Sendable {
    package let name: String
    /// Cents.
    package let price: Int64

    init(_ name: String, _ price: Int64) {
        self.name = name
        self.price = price
    }
}

/// An ad, or a coupon where something is taken off.
package struct ShopOffer: Sendable {
    package let title: String
    package let content: String
    package let percentOff: Int64?

    static func ad(_ title: String, _ content: String) -> ShopOffer {
        ShopOffer(title: title, content: content, percentOff: nil)
    }

    static func coupon(_ percent: Int64, _ title: String, _ content: String) -> ShopOffer {
        ShopOffer(title: title, content: content, percentOff: percent)
    }
}
