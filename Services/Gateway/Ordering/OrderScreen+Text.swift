import Contracts

extension OrderScreen {
    /// The screen as lines of text: `(x)` is chosen, `[Pay]` can be pressed, and what cannot be says why.
    package var text: String {
        var lines = [shop]
        if let back { lines.append("< \(back.label)") }
        lines += ["", title, ""]
        if screen != .checkout, let note { lines += [note, ""] }
        lines += choices.map { choice in
            let mark = takesSeveral ? (choice.isChosen ? "[x]" : "[ ]") : choice.isChosen ? "(x)" : "( )"
            return ([mark, choice.press.label] + (choice.price.map { [$0] } ?? [])).joined(separator: " ")
        }
        for line in self.lines { lines += ["\(line.name) \(line.price)", "  \(line.detail)"] }
        if let total { lines += ["", "\(total.label) \(total.amount)"] }
        if screen == .checkout, let note { lines += ["", note] }
        if !buttons.isEmpty { lines.append("") }
        lines += buttons.map { "[\($0.label)]" + ($0.disabled.map { " (\($0))" } ?? "") }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension Ordering.OrderView {
    /// A receipt, whose lines are the items.
    func text(in language: Language) -> String {
        var text = [merchantName, language.heading(of: self), ""]
        for line in lines {
            text.append("\(language.text(line.name)) \(line.price.display)")
            text.append("  " + ([line.baseName] + line.extraNames).map(language.text).joined(separator: ", "))
        }
        text += ["", "\(language.total) \(total.display)"]
        if let paid, let entry { text.append(language.paid(at: paid.rfc3339, entry: entry)) }
        if let refunded { text.append(language.refunded(refunded.display, isWhole: refunded == total)) }
        return text.joined(separator: "\n") + "\n"
    }
}
