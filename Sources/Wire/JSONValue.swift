/// Any JSON value, with object keys in the order written. The form between a text and a `Codable` message.
package enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// A number with a fraction or exponent, as written. No message has one; kept so that the error can say so.
    case fraction
    case string(String)
    case array([JSONValue])
    case object([Member])

    package struct Member: Equatable, Sendable {
        package let key: String
        package let value: JSONValue

        package init(_ key: String, _ value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    /// Reads one value. Duplicate keys are refused at every level.
    package static func read(_ reader: inout JSONReader) throws(WireError) -> JSONValue {
        switch try reader.peek() {
        case .null:
            _ = try reader.null()
            return .null
        case .boolean: return .bool(try reader.bool())
        case .string: return .string(try reader.string())
        case .integer:
            var ahead = reader
            do throws(WireError) {
                let value = try ahead.integer()
                reader = ahead
                return .integer(value)
            } catch  where error.reason == .notAnInteger {
                _ = try reader.skip()
                return .fraction
            }
        case .array:
            var elements: [JSONValue] = []
            try reader.array { reader throws(WireError) in
                do throws(WireError) { elements.append(try read(&reader)) } catch {
                    throw error.inside("[\(elements.count)]")
                }
            }
            return .array(elements)
        case .object:
            var members: [Member] = []
            var seen: Set<String> = []
            try reader.object { key, reader throws(WireError) in
                let name = key.string
                // A set costs more than looking at a few.
                if members.count == few { seen = Set(members.map(\.key)) }
                let isNew =
                    members.count < few ? !members.contains { $0.key == name } : seen.insert(name).inserted
                guard isNew else { throw WireError(.duplicateKey, path: name) }
                do throws(WireError) { members.append(Member(name, try read(&reader))) } catch {
                    throw error.inside(name)
                }
            }
            return .object(members)
        }
    }

    private static let few = 16

    package init(parsing text: some Collection<UInt8>) throws(WireError) {
        self = try JSONReader.read(Array(text)) { reader throws(WireError) in try JSONValue.read(&reader) }
    }

    package func write(to writer: inout JSONWriter) {
        switch self {
        case .null, .fraction: writer.null()
        case .bool(let value): writer.bool(value)
        case .integer(let value): writer.integer(value)
        case .string(let value): writer.string(value)
        case .array(let elements):
            writer.beginArray()
            for element in elements { element.write(to: &writer) }
            writer.endArray()
        case .object(let members):
            writer.beginObject()
            for member in members {
                writer.key(member.key)
                member.value.write(to: &writer)
            }
            writer.endObject()
        }
    }

    package var text: String {
        var writer = JSONWriter()
        write(to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    package subscript(_ key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }

    package var typeName: JSONTypeName {
        switch self {
        case .null: .null
        case .bool: .boolean
        case .integer, .fraction: .integer
        case .string: .string
        case .array: .array
        case .object: .object
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { Member($0.0, $0.1) })
    }
}
