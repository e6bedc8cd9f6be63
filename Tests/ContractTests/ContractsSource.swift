import ContractGenerator
import Foundation
import Testing

/// The declarations in `Sources/Contracts`.
enum ContractsSource {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Sources/Contracts").standardized
}

@Suite("What is generated from the declarations")
struct GeneratedTests {
    @Test("is what follows from them: deploy/contracts writes it")
    func stale() throws {
        #expect(try ContractFolder(at: ContractsSource.folder.path).stale() == [])
    }
}
