import Primitives

/// On whose behalf an ask may be made: by role of its actor, and which field has to name the actor's account.
///
/// A service that asks for itself has no actor and may ask anything.
@usableFromInline
package struct Access<Question>: Sendable {
    fileprivate typealias Test = @Sendable (Question, PartyID) -> Bool

    fileprivate struct Rule: Sendable {
        /// The name of the field that has to name the actor; nil where any account of the role may ask.
        let field: (@Sendable () -> String)?
        let allows: Test
    }

    fileprivate var customer: Rule?
    fileprivate var merchant: Rule?
    fileprivate var administrator: Rule?
    /// What a role may not say although it may ask.
    fileprivate var refused: [@Sendable (Question, Auth.Role) -> Bool] = []

    fileprivate subscript(role: Auth.Role) -> Rule? {
        get {
            switch role {
            case .customer: customer
            case .merchant: merchant
            case .administrator: administrator
            }
        }
        set {
            switch role {
            case .customer: customer = newValue
            case .merchant: merchant = newValue
            case .administrator: administrator = newValue
            }
        }
    }

    fileprivate func adding(_ rule: Rule, for roles: [Auth.Role]) -> Access {
        var more = self
        for role in roles { more[role] = rule }
        return more
    }

    package func allows(_ question: Question, role: Auth.Role, party: PartyID) -> Bool {
        guard let rule = self[role], rule.allows(question, party) else { return false }
        return !refused.contains { $0(question, role) }
    }

    /// By role the field that has to name the actor's account, or `*` where any account of the role may ask. A role
    /// that is missing may not ask.
    package var actors: [(role: Auth.Role, field: String)] {
        Auth.Role.allCases.compactMap { role in self[role].map { (role, $0.field?() ?? "*") } }
    }
}

// MARK: Whom it allows

extension Access {
    /// Only services that ask for themselves.
    package static var services: Access { Access() }

    /// Any account.
    package static var anyone: Access { any(.customer, .merchant, .administrator) }

    /// Any account of these roles.
    package static func any(_ roles: Auth.Role...) -> Access { services.adding(anybody, for: roles) }

    /// The same, in addition to those that may ask already.
    package func or(any roles: Auth.Role...) -> Access { adding(Self.anybody, for: roles) }

    /// Refuses asks that only services may make.
    package func onlyServices(when isForServices: @escaping @Sendable (Question) -> Bool) -> Access {
        refusing { question, _ in isForServices(question) }
    }

    /// Refuses asks that this role may not make.
    package func refusing(_ role: Auth.Role, when: @escaping @Sendable (Question) -> Bool) -> Access {
        refusing { $1 == role && when($0) }
    }

    private func refusing(_ test: @escaping @Sendable (Question, Auth.Role) -> Bool) -> Access {
        var less = self
        less.refused.append(test)
        return less
    }

    private static var anybody: Rule { Rule(field: nil) { _, _ in true } }
}

extension Access where Question: Shape {
    /// The account that the field names, if it has one of these roles.
    package static func only(
        _ field: any KeyPath<Question, PartyID> & Sendable, _ roles: Auth.Role...
    ) -> Access {
        services.adding(named(field) { $0[keyPath: field] == $1 }, for: roles)
    }

    /// The account that the field names, or an administrator if it names none.
    package static func onlyOrAdministrator(_ field: any KeyPath<Question, PartyID?> & Sendable) -> Access {
        services.adding(named(field) { $0[keyPath: field] == $1 }, for: [.customer, .merchant])
            .adding(named(field) { ($0[keyPath: field] ?? $1) == $1 }, for: [.administrator])
    }

    /// The account that each element names in its field.
    package static func only<Element: Shape>(
        each list: Path<Question, [Element]>, _ field: any KeyPath<Element, PartyID> & Sendable,
        _ roles: Auth.Role...
    ) -> Access {
        let rule = Rule(
            field: { "\(Question.name(of: list)).\(Element.name(of: field))" },
            allows: { question, party in question[keyPath: list].allSatisfy { $0[keyPath: field] == party } })
        return services.adding(rule, for: roles)
    }

    /// The holder of that money, in the role in which it is held.
    package static func holder(_ field: any KeyPath<Question, Wallet.Holder> & Sendable) -> Access {
        func rule(_ role: Wallet.HolderRole) -> Rule {
            Rule(
                field: { "\(Question.name(of: field)).party" },
                allows: { question, party in
                    let holder = question[keyPath: field]
                    return holder.role == role && holder.party == party
                })
        }
        return services.adding(rule(.customer), for: [.customer]).adding(rule(.merchant), for: [.merchant])
    }

    private static func named(_ field: AnyPath<Question>, _ allows: @escaping Test) -> Rule {
        Rule(field: { Question.name(of: field) }, allows: allows)
    }
}

extension Ask {
    /// See `Access.actors`.
    package static var actors: [(role: Auth.Role, field: String)] { access.actors }
}
