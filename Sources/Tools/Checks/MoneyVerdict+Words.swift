extension MoneyVerdict {
    package var headline: String {
        if checks.isEmpty { return "The money was not checked" }
        if isUnknown { return "It is not known whether the money is right" }
        let wrong = Set(checks.filter { !$0.passed }.map(\.subject))
        if wrong.contains(nil) { return "The money is not right" }
        // Money is one thing, and what else was played another.
        return wrong.isEmpty
            ? "The money is right"
            : "The money is right, the \(wrong.compactMap(\.self).sorted().joined(separator: " and ")) are not"
    }

    package var detail: String {
        let failed = checks.count { !$0.passed }
        if checks.isEmpty { return "Nothing is known about the money of this run." }
        if failed == 0 { return checks.count == 1 ? "The check passed." : "All \(checks.count) checks passed." }
        return "\(failed) of \(checks.count) \(checks.count == 1 ? "check" : "checks") found something."
    }

    /// PASS, FAIL or NOT CHECKED.
    package var word: String { isUnknown ? "NOT CHECKED" : passed ? "PASS" : "FAIL" }
}
