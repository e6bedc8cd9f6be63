import Contracts
import Primitives

/// What the wallet has to answer and to know after a sequence of asks: the rules of its page over numbers.
package struct WalletBook: Sendable {
    package enum Account: Hashable, Sendable {
        case card(Int)
        case merchant(Int)
    }

    /// One entry of one account.
    package struct Line: Equatable, Sendable {
        package let step: Int
        package let amount: Int64
        package let balance: Int64
    }

    package enum Outcome: Equatable, Sendable {
        /// It is done, and moves so much.
        case done(Int64)
        /// It is refused with one of these.
        case refused([FaultCode])
    }

    private struct Hold: Sendable {
        let card, merchant: Int
        let amount: Int64
        var end: FaultCode?
    }

    private struct Payment: Sendable {
        let card, merchant: Int
        let amount: Int64
        var refunded: Int64 = 0
    }

    package private(set) var balances: [Account: Int64]
    package private(set) var lines: [Account: [Line]] = [:]
    private var holds: [Int: Hold] = [:]
    private var payments: [Int: Payment] = [:]

    /// - Parameters:
    ///   - cards: what each has on it at the beginning.
    ///   - merchants: how many there are, with nothing on their accounts.
    package init(cards: [Int64], merchants: Int) {
        balances = [:]
        for (number, balance) in cards.enumerated() { balances[.card(number)] = balance }
        for number in 0..<merchants { balances[.merchant(number)] = 0 }
    }

    package func held(on card: Int) -> Int64 {
        holds.values.filter { $0.card == card && $0.end == nil }.reduce(0) { $0 + $1.amount }
    }

    package func available(_ account: Account) -> Int64 {
        let balance = balances[account] ?? 0
        return if case .card(let number) = account { balance - held(on: number) } else { balance }
    }

    /// Does what one step asks for. Steps are referred to by their numbers.
    package mutating func take(_ step: WalletStep, number: Int) -> Outcome {
        switch step {
        case .reload(let card, let amount):
            return move(amount, from: nil, to: .card(card), number)
        case .pay(let card, let merchant, let amount):
            guard amount <= available(.card(card)) else { return .refused([.insufficientFunds]) }
            payments[number] = Payment(card: card, merchant: merchant, amount: amount)
            return move(amount, from: .card(card), to: .merchant(merchant), number)
        case .transfer(let from, let to, let amount):
            guard from != to else { return .refused([.selfTransfer]) }
            guard amount <= available(from) else { return .refused([.insufficientFunds]) }
            return move(amount, from: from, to: to, number)
        case .hold(let card, let merchant, let amount):
            guard amount <= available(.card(card)) else { return .refused([.insufficientFunds]) }
            holds[number] = Hold(card: card, merchant: merchant, amount: amount)
            return .done(amount)
        case .capture(let hold, let amount):
            guard let held = holds[hold] else { return .refused([.holdNotFound]) }
            let captured = amount ?? held.amount
            if let end = held.end { return .refused(captured > held.amount ? [end, .amountInvalid] : [end]) }
            guard captured <= held.amount else { return .refused([.amountInvalid]) }
            holds[hold]?.end = .holdCaptured
            return move(captured, from: .card(held.card), to: .merchant(held.merchant), number)
        case .void(let hold):
            guard let held = holds[hold] else { return .refused([.holdNotFound]) }
            if let end = held.end { return .refused([end]) }
            holds[hold]?.end = .holdVoided
            return .done(held.amount)
        case .refund(let payment, let merchant, let amount):
            guard let paid = payments[payment], paid.merchant == merchant else { return .refused([.paymentNotFound]) }
            let left = paid.amount - paid.refunded
            let refund = amount ?? left
            guard refund > 0, refund <= left else { return .refused([.refundTooLarge]) }
            guard refund <= available(.merchant(merchant)) else { return .refused([.insufficientFunds]) }
            payments[payment]?.refunded += refund
            return move(refund, from: .merchant(merchant), to: .card(paid.card), number)
        }
    }

    private mutating func move(_ amount: Int64, from: Account?, to: Account, _ number: Int) -> Outcome {
        if let from { add(-amount, to: from, number) }
        add(amount, to: to, number)
        return .done(amount)
    }

    private mutating func add(_ amount: Int64, to account: Account, _ number: Int) {
        let balance = balances[account, default: 0] + amount
        balances[account] = balance
        lines[account, default: []].append(Line(step: number, amount: amount, balance: balance))
    }
}

/// One ask of a random sequence about money. Cards and merchants have small numbers, holds and payments those of the
/// steps that made them.
package enum WalletStep: Sendable, Equatable, CustomStringConvertible {
    case reload(card: Int, Int64)
    case pay(card: Int, merchant: Int, Int64)
    case transfer(WalletBook.Account, WalletBook.Account, Int64)
    case hold(card: Int, merchant: Int, Int64)
    case capture(hold: Int, Int64?)
    case void(hold: Int)
    case refund(payment: Int, merchant: Int, Int64?)

    package static let cardCount = 2
    package static let merchantCount = 2
    /// How far back a step may refer to another one.
    private static let reach = 40

    package static func random(_ random: inout Seeded) -> WalletStep {
        let card = Int.random(in: 0..<cardCount, using: &random)
        let merchant = Int.random(in: 0..<merchantCount, using: &random)
        let amount = ([1, 7, 250, 500, 900, 1650, 1651, 4000] as [Int64]).randomElement(using: &random) ?? 1
        let part = Bool.random(using: &random) ? amount : nil
        let earlier = Int.random(in: 0..<reach, using: &random)
        func account(_ random: inout Seeded) -> WalletBook.Account {
            let number = Int.random(in: 0..<2, using: &random)
            return Bool.random(using: &random) ? .card(number) : .merchant(number)
        }
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<3: return .reload(card: card, amount)
        case 3..<8: return .pay(card: card, merchant: merchant, amount)
        case 8..<11: return .transfer(account(&random), account(&random), amount)
        case 11..<14: return .hold(card: card, merchant: merchant, amount)
        case 14..<16: return .capture(hold: earlier, part)
        case 16: return .void(hold: earlier)
        default: return .refund(payment: earlier, merchant: merchant, part)
        }
    }

    package var description: String {
        switch self {
        case .reload(let card, let amount): "\(amount) to card \(card)"
        case .pay(let card, let merchant, let amount): "card \(card) pays \(amount) to merchant \(merchant)"
        case .transfer(let from, let to, let amount): "\(amount) from \(from) to \(to)"
        case .hold(let card, let merchant, let amount): "\(amount) held on card \(card) for merchant \(merchant)"
        case .capture(let hold, let amount): "\(amount.map(String.init) ?? "all") of hold \(hold) is captured"
        case .void(let hold): "hold \(hold) is void"
        case .refund(let payment, let merchant, let amount):
            "merchant \(merchant) refunds \(amount.map(String.init) ?? "all") of payment \(payment)"
        }
    }
}
