import Synchronization

/// Codes of refusals and troubles met in a run, each with a small number for the journal.
package final class CodeTable: Sendable {
    private let codes = Mutex<[String]>(["?"])

    package init() {}

    package func number(of code: String) -> UInt16 {
        codes.withLock { codes in
            if let known = codes.firstIndex(of: code) { return UInt16(known) }
            guard codes.count < 1000 else { return 0 }
            codes.append(code)
            return UInt16(codes.count - 1)
        }
    }

    package func code(_ number: UInt16) -> String { codes.withLock { $0[Int(number)] } }
}
