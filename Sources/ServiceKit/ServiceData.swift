import Bus
import Contracts
import Logging

/// A service's file: answers operators who copy it or read its printed tables, and measures it.
package struct ServiceData: Sendable {
    let owner: any DataOwner.Type
    /// Given the log that failed copies are reported to.
    let answers: @Sendable (Logger) -> [any Answering]
    let metrics: @Sendable () -> [ServiceStats.Sample]

    private init(
        owner: any DataOwner.Type, answers: @escaping @Sendable (Logger) -> [any Answering],
        metrics: @escaping @Sendable () -> [ServiceStats.Sample]
    ) {
        (self.owner, self.answers, self.metrics) = (owner, answers, metrics)
    }

    /// - Parameters:
    ///   - keys: files of the keys that the data cannot be used without, by their names in a copy.
    ///   - copy: writes a copy to a path.
    package init<Service: DataOwner>(
        _ service: Service.Type, file: String, keys: [String: String] = [:],
        copy: @escaping @Sendable (_ path: String) async throws -> DataCopy
    ) {
        owner = service
        answers = { [BackupHandler<Service>(file: file, keys: keys, copy: copy, logger: $0)] }
        metrics = { ProcessFigures.samples(ofFile: file) }
    }

    /// The same data, handed over to a program that takes the service's place.
    ///
    /// - Parameter memory: what the service has in memory only.
    package func handedOver<Service: StateOwner>(
        of service: Service.Type, by source: any StateSource, memory: [any MemoryTable] = []
    ) -> ServiceData {
        ServiceData(
            owner: owner,
            answers: { [answers] logger in
                answers(logger) + [
                    FollowStateHandler<Service>(source: source, memory: memory, logger: logger),
                    ReadStateHandler<Service>(source: source), SealStateHandler<Service>(source: source)
                ]
            }, metrics: metrics)
    }

    /// The same of a service whose printed tables are read from the file.
    ///
    /// - Parameter table: reads a page of a printed table.
    package init<Service: DataOwner & TableSource>(
        _ service: Service.Type, file: String, keys: [String: String] = [:],
        copy: @escaping @Sendable (_ path: String) async throws -> DataCopy,
        table: @escaping TableHandler<Service>.Read
    ) {
        owner = service
        answers = { logger in
            [
                BackupHandler<Service>(file: file, keys: keys, copy: copy, logger: logger),
                TableHandler(service, read: table)
            ]
        }
        metrics = { ProcessFigures.samples(ofFile: file) }
    }
}
