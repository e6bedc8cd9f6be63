import Contracts

/// - Returns: the refusal; nil where there was none.
package func fault(_ body: () async throws(Fault) -> some Any) async -> Fault? {
    do throws(Fault) {
        _ = try await body()
        return nil
    } catch {
        return error
    }
}

/// - Returns: the refusal's code; nil where there was none.
package func refusal(_ body: () async throws(Fault) -> some Any) async -> FaultCode? { await fault(body)?.code }
