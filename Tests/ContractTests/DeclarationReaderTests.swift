import ContractGenerator
import Testing

@Suite("Reading declarations")
struct DeclarationReaderTests {
    private static let file = """
        /// What is moved.
        package enum Purse: FactSource, DataOwner {
            package static let service = "purse"
        }

        /// Of the file.
        extension Purse {
            /// Moves money,
            /// at once. See `Post`.
            ///
            /// - Faults: none.
            package struct Post: Ask, FastCoded, Equatable {
                package static let type: MessageType = "purse.money.post.v1"
                package static let limits: [Limit<Self>] = [.amount(\\.amount)]
                package typealias Reply = Posted

                /// In cents.
                package let from, to: PartyID
                package let amount: Money?
                package var quick: Bool = false

                package var isLarge: Bool { true }
            }

            package struct Posted: Codable, Sendable {
                package let kind: Kind
            }

            package enum Kind: String, Codable, CaseIterable {
                /// The first.
                case one
                case two, three
            }
        }
        """

    @Test("finds types, fields, cases and their comments")
    func declarations() throws {
        let found = DeclarationReader(Self.file).declarations
        #expect(found.map(\.name) == ["Purse", "Purse.Post", "Purse.Post.Reply", "Purse.Posted", "Purse.Kind"])
        #expect(found[1].comment == "Moves money, at once. See `Post`.")
        #expect(found[1].messageType == "purse.money.post.v1")
        #expect(found[1].members.map(\.name) == ["from", "to", "amount", "quick"])
        #expect(found[1].members.map(\.type) == ["PartyID", "PartyID", "Money?", "Bool"])
        #expect(found[1].members.map(\.comment) == ["In cents.", "In cents.", "", ""])
        #expect(found[4].members.map(\.name) == ["one", "two", "three"])
    }

    @Test("writes initialiser, fields, codec and lists")
    func generated() throws {
        let files = Contracts([.init(name: "Purse.swift", text: Self.file)]).generated
        #expect(files.map(\.name) == ["Purse+Generated.swift", "Catalogue+Generated.swift"])
        let text = files[0].text
        #expect(text.contains("amount: Money? = nil,\n        quick: Bool = false,\n        _: Void = ()"))
        #expect(text.contains("kind: Purse.Kind,"))
        #expect(text.contains("Field(\"from\", \\.from, \"In cents.\")"))
        #expect(text.contains("See `purse.money.post.v1`."))
        #expect(text.contains("try reader.takeOptional(&amount, key)"))
        for type in ["Purse.Post", "ReadFacts<Purse>", "WriteBackup<Purse>", "ReadStats<Purse>", "FactsHead<Purse>"] {
            #expect(files[1].text.contains("\(type).self"), "\(type)")
        }
        #expect(!files[1].text.contains("ReadTable<Purse>"))
    }

    @Test("writes only codecs for what is no message")
    func codecs() throws {
        let file = """
            import Contracts

            package struct Body: RequestBody, FastCoded, Equatable {
                package let amount: Money
                package internal(set) var memo: String?

                package var isEmpty: Bool { memo == nil }
            }

            package struct Other: RequestBody {
                package let amount: Money
            }
            """
        let files = Contracts([.init(name: "Bodies.swift", text: file)], writing: .codecs).generated
        #expect(files.map(\.name) == ["Bodies+Generated.swift"])
        #expect(files[0].text.contains("import Contracts\nimport Wire\n\nextension Body {"))
        #expect(files[0].text.contains("try reader.takeOptional(&memo, key)"))
        #expect(!files[0].text.contains("summary"))
        #expect(!files[0].text.contains("Other"))
        #expect(!files[0].text.contains("isEmpty"))
    }
}
