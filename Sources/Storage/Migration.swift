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

/// A database that a newer release has written: this one does not know what its tables mean.
package struct NewerSchema: Error, Equatable, CustomStringConvertible {
    package let place: String
    /// The names of the migrations that are unknown here.
    package let migrations: [String]

    package var description: String {
        """
        \(place) was written by a newer release (\(migrations.joined(separator: ", "))): start that release, or restore a backup \
        of before ('billfold restore --replace')
        """
    }

    /// - Parameter migrations: none to open a database as it is.
    static func expectNone(_ done: Set<String>, of migrations: [Migration], in place: String) throws(NewerSchema) {
        let unknown = done.subtracting(migrations.map(\.name)).sorted()
        guard unknown.isEmpty || migrations.isEmpty else { throw NewerSchema(place: place, migrations: unknown) }
    }
}
