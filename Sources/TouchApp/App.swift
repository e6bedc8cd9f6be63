import Primitives

/// The card that pays, as far as the app knows.
package enum KnownCard: Hashable, Sendable {
    /// Nobody has answered yet.
    case unknown
    /// The customer has no card.
    case none
    case some(CardSummary)

    package init(_ card: CardSummary?) { self = card.map(KnownCard.some) ?? .none }

    package var id: CardID? {
        if case .some(let card) = self { card.card } else { nil }
    }
}

/// Something of which nobody has said whether it happened. It is asked for again under its first id.
package enum Unsettled: Hashable, Sendable {
    case payment(PaymentOrder)
    case reload(ReloadOrder)
    case card(CardOrder)

    package var operation: OperationID {
        switch self {
        case .payment(let order): order.operation
        case .reload(let order): order.operation
        case .card(let order): order.operation
        }
    }

    fileprivate var attempt: Note.Attempt {
        switch self {
        case .payment: .payment
        case .reload: .reload
        case .card: .newCard
        }
    }
}

/// The state of one device: a value, which commands change.
package struct App: Sendable {
    package private(set) var screen: any Screen = PinScreen()
    package private(set) var card = KnownCard.unknown
    package private(set) var note: Note?
    /// At most one of each kind.
    package private(set) var unsettled: [Unsettled] = []

    package init() {}

    /// Whether the PIN has been entered: there is no way to another screen before, nor back but by
    /// ``lock(_:)``.
    package var isUnlocked: Bool { screen.name != .pin }

    /// Whether touches here are digits that nobody else should learn.
    var takesSecrets: Bool { screen.name == .pin || screen.name == .addCard }

    /// What an input means here. A screen's own change, as by a digit, has happened on return.
    mutating func reaction(to input: Input, menu: MenuSlots) -> Reaction {
        let reaction: Reaction =
            switch input {
            case .touch(let cell): cell.map { screen.touch($0.x, $0.y) } ?? .ignored
            case .topLeft: screen.topLeftCmd()
            case .topRight: screen.topRightCmd()
            case .menu(let slot): isUnlocked ? .command(menu[slot].command) : .ignored
            }
        switch reaction {
        case .ignored: break
        case .changed: note = nil
        case .command:
            note = nil
            screen.forgetResults()
        }
        return reaction
    }

    // MARK: For commands

    package mutating func show(_ screen: some Screen) {
        self.screen = screen
        self.screen.cardChanged(card)
    }

    /// Changes the current screen, if it is of this kind.
    package mutating func change<Kind: Screen>(_ kind: Kind.Type, _ change: (inout Kind) -> Void) {
        guard var current = screen as? Kind else { return }
        change(&current)
        screen = current
    }

    package mutating func setCard(_ card: KnownCard) {
        self.card = card
        screen.cardChanged(card)
    }

    /// Takes a card's new balance; another card than the current one changes nothing here.
    private mutating func update(_ card: CardSummary) {
        if self.card.id == card.card || card.isDefault || self.card.id == nil { setCard(.some(card)) }
    }

    /// Takes a card as an operation's answer has it. What was done before is answered as it was then: the card is read
    /// anew.
    package mutating func update(_ card: CardSummary, asOfBefore: Bool, in context: CommandContext) async {
        update(card)
        guard asOfBefore else { return }
        var look = quiet
        await ReadCard().execute(on: &look, in: context)
        adopt(look)
    }

    package mutating func tell(_ note: Note) { self.note = note }

    package mutating func fail(_ error: BackingError, _ attempt: Note.Attempt) {
        if error == .pinRequired { lock(error) } else { note = .failed(error, attempt) }
    }

    /// An operation failed: whether it may be tried under a new id depends on whether its outcome is known.
    package mutating func fail(_ error: BackingError, doing deed: Unsettled) {
        if error.settles { settle(deed) }
        if error == .unknown, !unsettled.contains(deed) {
            unsettled.removeAll { $0.attempt == deed.attempt }
            unsettled.append(deed)
        }
        // An earlier try may have done it: "nothing was paid" would be too much said.
        let isOpen = error == .unavailable && unsettled.contains(deed)
        fail(isOpen ? .unknown : error, deed.attempt)
    }

    package mutating func settle(_ deed: Unsettled) { unsettled.removeAll { $0.operation == deed.operation } }

    /// Back to the Pin Screen. Unsettled money stays so; a card's digits are not kept beyond the session.
    package mutating func lock(_ error: BackingError? = nil) {
        unsettled.removeAll { $0.attempt == .newCard }
        screen = PinScreen()
        card = .unknown
        note = error.map { .failed($0, .pin) }
    }

    /// Takes what `look` found out, without what it has to say.
    mutating func adopt(_ look: App) {
        guard look.isUnlocked else {
            self = look
            return
        }
        let note = note
        self = look
        self.note = note
    }

    /// The same without a note, for looking at things behind the customer's back.
    var quiet: App {
        var quiet = self
        quiet.note = nil
        return quiet
    }
}
