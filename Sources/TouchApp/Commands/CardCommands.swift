import Primitives

/// Reads the card that pays, without a word when it succeeds.
package struct ReadCard: Command {
    package init() {}

    package func execute(on app: inout App, in context: CommandContext) async {
        do throws(BackingError) {
            app.setCard(KnownCard(try await context.backing.currentCard()))
        } catch { app.fail(error, .reading) }
    }
}

/// Reads the balance and shows it.
package struct RefreshBalance: Command {
    package init() {}

    package func execute(on app: inout App, in context: CommandContext) async {
        await ReadCard().execute(on: &app, in: context)
        guard app.isUnlocked, app.note == nil else { return }
        switch app.card {
        case .some(let card): app.tell(.refreshed(balance: card.balance))
        case .none, .unknown: app.fail(.noCard, .reading)
        }
    }
}

/// Puts money on the card that is shown.
package struct Reload: Command {
    package init() {}

    package func execute(on app: inout App, in context: CommandContext) async {
        var order = ReloadOrder(
            operation: context.touch.reinterpreted(), card: app.card.id, amount: context.rules.reloadAmount)
        for case .reload(let earlier) in app.unsettled { order = earlier }
        do throws(BackingError) {
            let card = try await context.backing.reload(order)
            let isRetry = app.unsettled.contains(.reload(order))
            app.settle(.reload(order))
            app.tell(isRetry ? .reloadedOnce(order.amount) : .reloaded(order.amount, balance: card.balance))
            await app.update(card, asOfBefore: isRetry, in: context)
        } catch { app.fail(error, doing: .reload(order)) }
    }
}

/// Makes the next card the one that pays; after the last one comes the first.
package struct ChooseNextCard: Command {
    package init() {}

    package func execute(on app: inout App, in context: CommandContext) async {
        do throws(BackingError) {
            let cards = try await context.backing.cards()
            guard !cards.isEmpty else { throw .noCard }
            let current = cards.firstIndex { $0.card == app.card.id } ?? cards.firstIndex(where: \.isDefault)
            let next = cards[((current ?? -1) + 1) % cards.count]
            let chosen = try await context.backing.choose(next.card)
            app.setCard(.some(chosen))
            app.tell(.chosen(lastFour: chosen.lastFour, balance: chosen.balance))
        } catch { app.fail(error, .setting) }
    }
}

/// Shows what last happened on the card.
package struct ViewTransactions: Command {
    package init() {}

    package func execute(on app: inout App, in context: CommandContext) async {
        do throws(BackingError) {
            let found = try await context.backing.transactions(
                card: app.card.id, limit: context.rules.transactionsMax)
            let shown = Array(found.prefix(context.rules.transactionsMax))
            app.change(MoreOptionsScreen.self) { $0.transactions = shown }
            if shown.isEmpty { app.tell(.noTransactions) }
        } catch { app.fail(error, .reading) }
    }
}

/// Adds the card that has been entered, which then pays by default.
package struct SubmitCard: Command {
    private let number: Digits?
    private let code: Digits?

    /// Nil: not all digits have been entered.
    package init(number: Digits?, code: Digits?) {
        self.number = number
        self.code = code
    }

    package func execute(on app: inout App, in context: CommandContext) async {
        guard let number else { return app.tell(.cardIDIncomplete) }
        guard let code else { return app.tell(.cardCodeIncomplete) }
        var order = CardOrder(operation: context.touch.reinterpreted(), number: number, code: code)
        for case .card(let earlier) in app.unsettled where earlier.number == number && earlier.code == code {
            order = earlier
        }
        do throws(BackingError) {
            let card = try await context.backing.add(order)
            let isRetry = app.unsettled.contains(.card(order))
            app.settle(.card(order))
            if app.screen.name == .addCard { app.show(MainScreen()) }  // a repeat may find another screen
            app.tell(.added(lastFour: card.lastFour))
            await app.update(card, asOfBefore: isRetry, in: context)
        } catch { app.fail(error, doing: .card(order)) }
    }
}
