import Contracts
import Testing

@Suite("Samples")
struct SampleCoverageTests {
    private struct Seen: Hashable {
        let type: String
        let field: String
        let isPresent: Bool
    }

    @Test("every optional field is there in one sample and absent in another")
    func optionals() {
        var seen: Set<Seen> = []
        for sample in Samples.all { look(at: sample.message, &seen) }
        #expect(!seen.isEmpty)
        for one in seen {
            let other = Seen(type: one.type, field: one.field, isPresent: !one.isPresent)
            #expect(seen.contains(other), "\(one.type).\(one.field) is never \(other.isPresent ? "there" : "absent")")
        }
    }

    private func look(at value: Any, _ seen: inout Set<Seen>) {
        let mirror = Mirror(reflecting: value)
        for child in mirror.children {
            let isOptional = Mirror(reflecting: child.value).displayStyle == .optional
            if isOptional, let field = child.label {
                let isPresent = !Mirror(reflecting: child.value).children.isEmpty
                seen.insert(Seen(type: String(reflecting: mirror.subjectType), field: field, isPresent: isPresent))
            }
            look(at: child.value, &seen)
        }
    }
}
