// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Primitives
import Wire

extension Display {
    package init(
        screen: String,
        words: String,
        lines: [String],
        grid: [[String]],
        menu: [String],
        menuActive: Bool,
        topLeft: String? = nil,
        topRight: String? = nil,
        passcode: Int? = nil,
        nextPin: Timestamp? = nil,
        card: Display.ShownCard? = nil,
        payCode: PayCode? = nil,
        payee: String? = nil,
        payAmount: Money? = nil,
        reloadAmount: Money? = nil,
        payHindrance: Display.PayHindrance? = nil,
        receipt: Display.ShownReceipt? = nil,
        fields: [Display.EntryField]? = nil,
        transactions: [CardTransaction]? = nil,
        paymentsEnabled: Bool? = nil,
        rewards: Rewards? = nil,
        stores: [Store]? = nil,
        notice: String? = nil,
        error: String? = nil,
        _: Void = ()
    ) {
        self.screen = screen
        self.words = words
        self.lines = lines
        self.grid = grid
        self.menu = menu
        self.menuActive = menuActive
        self.topLeft = topLeft
        self.topRight = topRight
        self.passcode = passcode
        self.nextPin = nextPin
        self.card = card
        self.payCode = payCode
        self.payee = payee
        self.payAmount = payAmount
        self.reloadAmount = reloadAmount
        self.payHindrance = payHindrance
        self.receipt = receipt
        self.fields = fields
        self.transactions = transactions
        self.paymentsEnabled = paymentsEnabled
        self.rewards = rewards
        self.stores = stores
        self.notice = notice
        self.error = error
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("screen", screen)
        writer.field("words", words)
        writer.field("lines", lines)
        writer.field("grid", grid)
        writer.field("menu", menu)
        writer.field("menuActive", menuActive)
        writer.field("topLeft", topLeft)
        writer.field("topRight", topRight)
        writer.field("passcode", passcode)
        writer.field("nextPin", nextPin)
        writer.field("card", card)
        writer.field("payCode", payCode)
        writer.field("payee", payee)
        writer.field("payAmount", payAmount)
        writer.field("reloadAmount", reloadAmount)
        writer.field("payHindrance", payHindrance)
        writer.field("receipt", receipt)
        writer.field("fields", fields)
        writer.field("transactions", transactions)
        writer.field("paymentsEnabled", paymentsEnabled)
        writer.field("rewards", rewards)
        writer.field("stores", stores)
        writer.field("notice", notice)
        writer.field("error", error)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var screen: String?
        var words: String?
        var lines: [String]?
        var grid: [[String]]?
        var menu: [String]?
        var menuActive: Bool?
        var topLeft: String?
        var topRight: String?
        var passcode: Int?
        var nextPin: Timestamp?
        var card: Display.ShownCard?
        var payCode: PayCode?
        var payee: String?
        var payAmount: Money?
        var reloadAmount: Money?
        var payHindrance: Display.PayHindrance?
        var receipt: Display.ShownReceipt?
        var fields: [Display.EntryField]?
        var transactions: [CardTransaction]?
        var paymentsEnabled: Bool?
        var rewards: Rewards?
        var stores: [Store]?
        var notice: String?
        var error: String?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "screen": try reader.take(&screen, key)
            case "words": try reader.take(&words, key)
            case "lines": try reader.take(&lines, key)
            case "grid": try reader.take(&grid, key)
            case "menu": try reader.take(&menu, key)
            case "menuActive": try reader.take(&menuActive, key)
            case "topLeft": try reader.takeOptional(&topLeft, key)
            case "topRight": try reader.takeOptional(&topRight, key)
            case "passcode": try reader.takeOptional(&passcode, key)
            case "nextPin": try reader.takeOptional(&nextPin, key)
            case "card": try reader.takeOptional(&card, key)
            case "payCode": try reader.takeOptional(&payCode, key)
            case "payee": try reader.takeOptional(&payee, key)
            case "payAmount": try reader.takeOptional(&payAmount, key)
            case "reloadAmount": try reader.takeOptional(&reloadAmount, key)
            case "payHindrance": try reader.takeOptional(&payHindrance, key)
            case "receipt": try reader.takeOptional(&receipt, key)
            case "fields": try reader.takeOptional(&fields, key)
            case "transactions": try reader.takeOptional(&transactions, key)
            case "paymentsEnabled": try reader.takeOptional(&paymentsEnabled, key)
            case "rewards": try reader.takeOptional(&rewards, key)
            case "stores": try reader.takeOptional(&stores, key)
            case "notice": try reader.takeOptional(&notice, key)
            case "error": try reader.takeOptional(&error, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            screen: try required(screen, "screen"),
            words: try required(words, "words"),
            lines: try required(lines, "lines"),
            grid: try required(grid, "grid"),
            menu: try required(menu, "menu"),
            menuActive: try required(menuActive, "menuActive"),
            topLeft: topLeft,
            topRight: topRight,
            passcode: passcode,
            nextPin: nextPin,
            card: card,
            payCode: payCode,
            payee: payee,
            payAmount: payAmount,
            reloadAmount: reloadAmount,
            payHindrance: payHindrance,
            receipt: receipt,
            fields: fields,
            transactions: transactions,
            paymentsEnabled: paymentsEnabled,
            rewards: rewards,
            stores: stores,
            notice: notice,
            error: error
        )
    }
}

extension Display.ShownCard {
    package init(
        lastFour: String,
        balance: Money,
        _: Void = ()
    ) {
        self.lastFour = lastFour
        self.balance = balance
    }

    package func write(to writer: inout JSONWriter) { fastWrite(to: &writer) }
    package static func read(_ reader: inout JSONReader) throws(WireError) -> Self { try fastRead(&reader) }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("lastFour", lastFour)
        writer.field("balance", balance)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var lastFour: String?
        var balance: Money?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "lastFour": try reader.take(&lastFour, key)
            case "balance": try reader.take(&balance, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            lastFour: try required(lastFour, "lastFour"),
            balance: try required(balance, "balance")
        )
    }
}

extension Display.ShownReceipt {
    package init(
        operation: OperationID,
        amount: Money,
        lastFour: String,
        balance: Money,
        entry: Int64,
        time: Timestamp,
        _: Void = ()
    ) {
        self.operation = operation
        self.amount = amount
        self.lastFour = lastFour
        self.balance = balance
        self.entry = entry
        self.time = time
    }

    package func write(to writer: inout JSONWriter) { fastWrite(to: &writer) }
    package static func read(_ reader: inout JSONReader) throws(WireError) -> Self { try fastRead(&reader) }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("operation", operation)
        writer.field("amount", amount)
        writer.field("lastFour", lastFour)
        writer.field("balance", balance)
        writer.field("entry", entry)
        writer.field("time", time)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var operation: OperationID?
        var amount: Money?
        var lastFour: String?
        var balance: Money?
        var entry: Int64?
        var time: Timestamp?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "operation": try reader.take(&operation, key)
            case "amount": try reader.take(&amount, key)
            case "lastFour": try reader.take(&lastFour, key)
            case "balance": try reader.take(&balance, key)
            case "entry": try reader.take(&entry, key)
            case "time": try reader.take(&time, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            operation: try required(operation, "operation"),
            amount: try required(amount, "amount"),
            lastFour: try required(lastFour, "lastFour"),
            balance: try required(balance, "balance"),
            entry: try required(entry, "entry"),
            time: try required(time, "time")
        )
    }
}

extension Display.EntryField {
    package init(
        label: String,
        digits: String,
        digitsMax: Int,
        focused: Bool,
        _: Void = ()
    ) {
        self.label = label
        self.digits = digits
        self.digitsMax = digitsMax
        self.focused = focused
    }

    package func write(to writer: inout JSONWriter) { fastWrite(to: &writer) }
    package static func read(_ reader: inout JSONReader) throws(WireError) -> Self { try fastRead(&reader) }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("label", label)
        writer.field("digits", digits)
        writer.field("digitsMax", digitsMax)
        writer.field("focused", focused)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var label: String?
        var digits: String?
        var digitsMax: Int?
        var focused: Bool?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "label": try reader.take(&label, key)
            case "digits": try reader.take(&digits, key)
            case "digitsMax": try reader.take(&digitsMax, key)
            case "focused": try reader.take(&focused, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            label: try required(label, "label"),
            digits: try required(digits, "digits"),
            digitsMax: try required(digitsMax, "digitsMax"),
            focused: try required(focused, "focused")
        )
    }
}
