import Contracts
import Majordomo
import Testing

@Suite("The broker's refusals")
struct RefusalTests {
    private static func known(_ fault: Majordomo.Fault) -> FaultCode {
        switch fault {
        case .noWorker: .noWorker
        case .queueFull: .queueFull
        case .deadlineExceeded: .deadlineExceeded
        case .workerLost: .workerLost
        case .malformed: .malformed
        case .tooLarge: .tooLarge
        case .outcomeUnknown: .outcomeUnknown
        }
    }

    @Test("are those of the contracts, to the byte", arguments: Majordomo.Fault.allCases)
    func same(fault: Majordomo.Fault) {
        var body: [UInt8] = []
        fault.writeBody(id: 1, to: &body)
        let data = String(decoding: Contracts.Fault(Self.known(fault)).json, as: UTF8.self)
        #expect(String(decoding: body, as: UTF8.self).hasSuffix(#","data":\#(data)}"#))
    }
}
