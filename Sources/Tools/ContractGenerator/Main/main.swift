import ContractGenerator
import Foundation

// Writes Sources/Contracts/Generated from the declarations in Sources/Contracts.
// Usage: billfold-contracts [--check] [DIRECTORY]

let arguments = CommandLine.arguments.dropFirst()
let folder = ContractFolder(at: arguments.first { !$0.hasPrefix("-") } ?? "Sources/Contracts")
do {
    let stale = try folder.stale()
    if arguments.contains("--check") {
        for name in stale { print("\(name) does not follow from the declarations: run deploy/contracts") }
        exit(stale.isEmpty ? 0 : 1)
    }
    try folder.write()
} catch {
    FileHandle.standardError.write(Data("billfold-contracts: \(error)\n".utf8))
    exit(1)
}
