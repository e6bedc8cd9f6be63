import Bus
import Contracts
import Foundation
import Testing
import Wire

@Suite("Golden files")
struct GoldenTests {
    @Test("each message is written as its golden file has it", arguments: Samples.all)
    func written(sample: Sample) throws {
        if GoldenFolder.isWriting { try Data(sample.envelope.json).write(to: GoldenFolder.file(sample.file)) }
        let golden = try GoldenFolder.read(sample.file)
        #expect(text(sample.envelope.json) == text(golden))
        #expect(golden.count <= Envelope.bytesMax)
    }

    @Test("each golden file is read as the message that it came from", arguments: Samples.all)
    func read(sample: Sample) throws {
        try checkReading(sample, as: sample.message)
    }

    private func checkReading<Message: WireMessage>(_ sample: Sample, as message: Message) throws {
        let envelope = try Envelope(json: GoldenFolder.read(sample.file))
        #expect(text(envelope.json) == text(sample.envelope.json))
        let read = try Message(json: envelope.data)
        #expect(text(read.json) == text(message.json))
        if let message = message as? any Equatable {
            let equal = isEqual(message, read)
            #expect(equal)
        }
    }

    private func isEqual<Value: Equatable>(_ value: Value, _ other: Any) -> Bool { value == other as? Value }

    @Test("every message of the catalogue has its golden file, and every golden file its message")
    func complete() throws {
        let asks = Catalogue.asks.flatMap { [$0.type.name, $0.type.reply] }
        let needed = Set(asks + Catalogue.facts.map { $0.type.name } + ["fault"])
        let golden = try GoldenFolder.names()
        #expect(needed.subtracting(golden) == [])
        let named = Set(golden.map { $0.replacing(/\.(bare|named)$/, with: "") })
        #expect(named.subtracting(needed) == [])
        #expect(golden == Set(Samples.all.map(\.file)))
        #expect(Samples.all.count == golden.count)
    }

    @Test("each sample is of the type that the catalogue has under its name")
    func types() {
        let samples = Dictionary(uniqueKeysWithValues: Samples.all.map { ($0.file, $0) })
        func check<A: Ask>(_ ask: A.Type) {
            #expect(samples[A.type.name]?.message is A)
            #expect(samples[A.type.reply]?.message is A.Reply)
            #expect(samples[A.type.name]?.envelope.type == A.type.name)
            #expect(samples[A.type.reply]?.envelope.type == A.type.reply)
        }
        func check<F: Fact>(_ fact: F.Type) { #expect(samples[F.type.name]?.message is F) }
        for ask in Catalogue.asks { check(ask) }
        for fact in Catalogue.facts { check(fact) }
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
