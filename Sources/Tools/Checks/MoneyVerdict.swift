/// Whether all the money is where it should be.
package struct MoneyVerdict: Codable, Sendable, Equatable {
    /// One statement about the money, and whether it holds.
    package struct Check: Codable, Sendable, Equatable {
        /// Short and stable, for machines: `sum_is_zero`.
        package var name: String
        /// For people: "The sum over all accounts is zero". In JSON, `question`.
        package var statement: String
        package var passed: Bool
        /// How many things were looked at.
        package var examined: Int
        /// The first of what was found wrong, a sentence each.
        package var findings: [String]
        /// How many things were found wrong in all.
        package var findingsTotal: Int
        /// What it is about, in the plural, where that is not money: "walks".
        package var subject: String?

        package init(
            name: String, statement: String, passed: Bool, examined: Int, findings: [String] = [],
            findingsTotal: Int? = nil, subject: String? = nil
        ) {
            self.name = name
            self.statement = statement
            self.passed = passed
            self.examined = examined
            self.findings = findings
            self.findingsTotal = findingsTotal ?? findings.count
            self.subject = subject
        }

        private enum CodingKeys: String, CodingKey {
            case name, passed, examined, findings, findingsTotal, subject
            case statement = "question"
        }
    }

    package var checks: [Check]

    package init(checks: [Check]) { self.checks = checks }

    /// No check, no pass: who has not looked knows nothing.
    package var passed: Bool { !checks.isEmpty && checks.allSatisfy(\.passed) }

    /// The name of the check that fails when the set could not be read back.
    package static let readBack = "evidence_read"

    /// Whether nothing is known: nothing was checked, or the set could not be read back and nothing was found wrong
    /// before.
    package var isUnknown: Bool { checks.allSatisfy { $0.passed || $0.name == Self.readBack } && !passed }

    private enum CodingKeys: String, CodingKey { case checks, passed }

    package init(from decoder: any Decoder) throws {
        checks = try decoder.container(keyedBy: CodingKeys.self).decode([Check].self, forKey: .checks)
    }

    /// `passed` is written for other readers; read back, it follows from the checks again.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(checks, forKey: .checks)
        try container.encode(passed, forKey: .passed)
    }
}
