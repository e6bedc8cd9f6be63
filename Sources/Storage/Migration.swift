/// One step of a schema. Forward only: a released migration is never edited, and its name stays.
package struct Migration: Sendable {
    let name: String
    let run: @Sendable (Transaction) throws -> Void

    /// - Parameter scripts: statements without parameters, run in their order.
    package init(_ name: String, _ scripts: String...) {
        self.init(name) { transaction in
            for script in scripts { try transaction.script(script) }
        }
    }

    package init(_ name: String, _ run: @escaping @Sendable (Transaction) throws -> Void) {
        self.name = name
        self.run = run
    }
}
