import Contracts

/// The kind of provider that a delivery needs. Clients and the file use the numbers: none is ever reused.
package enum Medium: Int64, Sendable, CaseIterable {
    case android = 1
    case ios = 2
    case website = 3
    /// A merchant's web hook.
    case hook = 4
    case mail = 5

    /// Whether it interrupts a person. Settings and quiet hours apply to these.
    package var isPush: Bool { self == .android || self == .ios || self == .website }
}

extension Notifications.Kind {
    /// The number in the file. None is ever reused.
    package var stored: Int64 {
        switch self {
        case .request: 0
        case .payment: 1
        case .closing: 2
        case .refund: 3
        case .offer: 4
        case .decision: 5
        case .message: 6
        case .transfer: 7
        case .reminder: 8
        case .order: 9
        }
    }

    package init?(stored: Int64) {
        guard let kind = Self.allCases.first(where: { $0.stored == stored }) else { return nil }
        self = kind
    }
}
