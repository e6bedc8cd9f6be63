import Bus
import Contracts
import Primitives

/// What became of one case.
package struct CaseResult: Sendable {
    package enum Outcome: Sendable, Equatable {
        case passed
        /// Why.
        case failed(String)
        /// The service does not answer the ask, and may leave it out.
        case notOffered
    }

    package let name: String
    package let outcome: Outcome
    package let milliseconds: Int64

    package init(name: String, outcome: Outcome, milliseconds: Int64) {
        self.name = name
        self.outcome = outcome
        self.milliseconds = milliseconds
    }
}

/// Runs cases against one service, one after the other.
package struct CheckRun: Sendable {
    /// Cases in a row without any answer after which the service counts as gone: the rest would only wait.
    private static let silentMax = 2

    private let specification: Specification
    private let asker: Asker
    private let world: World
    private let process: (any ControlledProcess)?
    private let isComplete: Bool
    private let seed: UInt64

    /// - Parameters:
    ///   - process: the process under test, where it is the kit's own.
    ///   - isComplete: whether nothing may be left out.
    ///   - seed: what random sequences follow from.
    package init(
        _ specification: Specification, asker: Asker, world: World, process: (any ControlledProcess)?, isComplete: Bool,
        seed: UInt64
    ) {
        self.specification = specification
        self.asker = asker
        self.world = world
        self.process = process
        self.isComplete = isComplete
        self.seed = seed
    }

    /// Runs the cases in their order.
    ///
    /// - Parameter report: called with each result; false ends the run.
    /// - Throws: `CannotCheck` when the kit itself cannot go on.
    package func run(_ cases: [Case], report: (CaseResult) -> Bool) async throws {
        let missing = try await typesNotOffered()
        let trial = Trial(
            asker: asker, world: world, process: process, log: specification.log.map { _ in FactLog(asker: asker) },
            missing: missing, seed: seed)
        var silent = 0
        for one in cases {
            if let type = one.type, missing.contains(type) {
                guard report(CaseResult(name: one.name, outcome: .notOffered, milliseconds: 0)) else { return }
                continue
            }
            let start = monotonicNanoseconds()
            func result(_ outcome: CaseResult.Outcome) -> CaseResult {
                CaseResult(
                    name: one.name, outcome: outcome, milliseconds: Int64((monotonicNanoseconds() - start) / 1_000_000))
            }
            do {
                try await one.run(trial)
                silent = 0
                guard report(result(.passed)) else { return }
            } catch let wrong as Wrong {
                guard report(result(.failed(wrong.description))) else { return }
                silent = wrong.isSilence ? silent + 1 : 0
                guard silent < Self.silentMax else {
                    throw CannotCheck("\(specification.service) answers no more: the other cases were left out")
                }
            }
        }
    }

    /// Asks that the service may leave out, and does.
    private func typesNotOffered() async throws -> Set<MessageType> {
        guard !isComplete else { return [] }
        var missing: Set<MessageType> = []
        for type in specification.types where specification.isOptional(type) {
            // Broken data: whoever answers the type refuses it, and nothing is done.
            guard case .fault(let fault) = try? await asker.answer(type, data: Array("[]".utf8)) else { continue }
            if fault.code == .unknownType { missing.insert(type) }
        }
        return missing
    }
}
