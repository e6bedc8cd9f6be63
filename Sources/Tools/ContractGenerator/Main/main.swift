import ContractGenerator
import Foundation

// Writes each folder's Generated from the declarations in it.
// Usage: billfold-contracts [--check] [DIRECTORY of the project]

let arguments = CommandLine.arguments.dropFirst()
do {
    var isStale = false
    for folder in ContractFolder.all(of: arguments.first { !$0.hasPrefix("-") } ?? ".") {
        guard arguments.contains("--check") else {
            try folder.write()
            continue
        }
        for name in try folder.stale() {
            print("\(folder.path)/Generated/\(name) does not follow from the declarations: run deploy/contracts")
            isStale = true
        }
    }
    exit(isStale ? 1 : 0)
} catch {
    FileHandle.standardError.write(Data("billfold-contracts: \(error)\n".utf8))
    exit(1)
}
