import ContractGenerator
import Foundation
import Testing

/// The declarations in `Sources/Contracts`.
enum ContractsSource {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
    static let folder = root.appending(path: "Sources/Contracts")
}

@Suite("What is generated from the declarations")
struct GeneratedTests {
    @Test("is what follows from them: deploy/contracts writes it")
    func stale() throws {
        for folder in ContractFolder.all(of: ContractsSource.root.path) {
            #expect(try folder.stale() == [], "\(folder.path)")
        }
    }
}
