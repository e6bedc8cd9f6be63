import Bus
import Contracts
import Logging

/// A service's file: answers operators who copy it or read its printed tables, and measures it.
package struct ServiceData: Sendable {
    /// Given the log that failed copies are reported to.
    let answers: @Sendable (Logger) -> [any Answering]
    let metrics: @Sendable () -> [ServiceStats.Sample]

    /// - Parameters:
    ///   - keys: files of the keys that the data cannot be used without, by their names in a copy.
    ///   - copy: writes a copy to a path.
    ///   - table: reads a page of a printed table; nil where the service answers that itself, or keeps none.
    package init<Service: BusService>(
        _ service: Service.Type, file: String, keys: [String: String] = [:],
        copy: @escaping @Sendable (_ path: String) async throws -> DataCopy,
        table: TableHandler<Service>.Read? = nil
    ) {
        answers = { logger in
            let backup = BackupHandler<Service>(file: file, keys: keys, copy: copy, logger: logger)
            guard let table else { return [backup] }
            return [backup, TableHandler(service, read: table)]
        }
        metrics = { ProcessFigures.samples(ofFile: file) }
    }
}
