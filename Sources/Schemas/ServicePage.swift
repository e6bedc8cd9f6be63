import Contracts
import Primitives
import Wire

/// All messages of one service as a page in Markdown: what a program that replaces the service answers and publishes.
package struct ServicePage: Sendable {
    package let markdown: String

    /// - Parameter service: the name of a service of the catalogue.
    package init(of service: String) {
        let document = AsyncAPIDocument(of: service).value
        let shapes = Shapes(document["components"]?["schemas"] ?? .null)
        let operations = Self.members(of: document["operations"])
        let asks = operations.filter { $0.value["action"] == "receive" }
        let facts = operations.filter { $0.value["action"] == "send" }
        var lines = [
            "# \(service)", "", Catalogue.service(service)?.summary ?? "", "",
            "All messages of `\(service)` in Billfold \(Release.version), as `billfold contracts --markdown \(service)` prints them.",
            "How they travel: `billfold contracts --binding`.", "",
            "`?` marks a field that may be absent. The key is **bold**."
        ]
        lines += ["", "## Asks"]
        for ask in asks { lines += Self.ask(ask.key, ask.value, shapes) }
        for ask in asks { lines += Self.state(ask.value["x-billfold-tables"]) }
        if !facts.isEmpty { lines += ["", "## Facts"] }
        for fact in facts { lines += Self.section(fact.key, shapes) }
        let messages = asks.flatMap { [$0.key, "\($0.key).reply"] } + facts.map(\.key)
        let shared = shapes.shared(besides: Set(messages))
        if !shared.isEmpty { lines += ["", "## Shapes"] }
        for name in shared { lines += Self.section(name, shapes) }
        lines += Self.faults(document["components"]?["x-billfold-faults"])
        markdown = lines.joined(separator: "\n") + "\n"
    }

    private static func members(of value: JSONValue?) -> [JSONValue.Member] {
        guard case .object(let members) = value else { return [] }
        return members
    }

    private static func texts(_ value: JSONValue?) -> [String] {
        guard case .array(let elements) = value else { return [] }
        return elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
    }

    // MARK: Messages

    private static func ask(_ type: String, _ operation: JSONValue, _ shapes: Shapes) -> [String] {
        let keys = texts(operation["x-billfold-key"])
        let retry = texts(.array([operation["x-billfold-retry"] ?? .null])).first ?? ""
        let actors = members(of: operation["x-billfold-actors"]).map { actor -> String in
            guard case .string(let field) = actor.value, field != "*" else { return "any \(actor.key)" }
            return "a \(actor.key) as `\(field)`"
        }
        let faults = texts(operation["x-billfold-faults"]).map { "`\($0)`" }
        var lines = section(type, shapes, keys: keys)
        lines += [
            "",
            "- Asked again: \(retry)\(keys.isEmpty ? "" : " on " + keys.map { "`\($0)`" }.joined(separator: ", ")).",
            "- May ask: \((["services"] + actors).joined(separator: ", ")).",
            "- Refusals of its own: \(faults.isEmpty ? "none" : faults.joined(separator: ", "))."
        ]
        let reply = shapes.replyName(of: type, operation)
        guard let schema = shapes[reply] else { return lines }
        guard reply == type + ".reply" else { return lines + ["", "Its reply: \(Shapes.link(reply))."] }
        lines += ["", "#### \(reply)"] + table(schema, shapes, keys: [])
        return lines
    }

    /// The tables of a hand-over, with their keys in bold.
    private static func state(_ tables: JSONValue?) -> [String] {
        guard case .array(let tables)? = tables else { return [] }
        return ["", "## State", "", "| table | columns |", "|---|---|"]
            + tables.map { table in
                guard case .array(let columns)? = table["columns"] else { return "" }
                let words = columns.map { column in
                    let name = texts(.array([column["name"] ?? .null])).first ?? ""
                    let kind = texts(.array([column["kind"] ?? .null])).first ?? ""
                    return (column["isKey"] == true ? "**`\(name)`**" : "`\(name)`") + " \(kind)"
                }
                return "| `\(texts(.array([table["name"] ?? .null])).first ?? "")` | \(words.joined(separator: ", ")) |"
            }
    }

    private static func section(_ name: String, _ shapes: Shapes, keys: [String] = []) -> [String] {
        let schema = shapes[name] ?? .null
        var lines = ["", "### \(name)"]
        if case .string(let text) = schema["description"] { lines += ["", text] }
        return lines + table(schema, shapes, keys: keys)
    }

    private static func table(_ schema: JSONValue, _ shapes: Shapes, keys: [String]) -> [String] {
        let required = Set(texts(schema["required"]))
        let fields = members(of: schema["properties"])
        guard !fields.isEmpty else {
            return schema["properties"] == nil ? ["", shapes.type(of: schema)] : ["", "No fields."]
        }
        return ["", "| field | | |", "|---|---|---|"]
            + fields.map { field in
                let name = keys.contains(field.key) ? "**`\(field.key)`**" : "`\(field.key)`"
                let text = texts(.array([field.value["description"] ?? .null])).first ?? ""
                return "| \(name)\(required.contains(field.key) ? "" : "?") | \(shapes.type(of: field.value)) | "
                    + "\(cell(text)) |"
            }
    }

    private static func faults(_ codes: JSONValue?) -> [String] {
        ["", "## Refusals", "", "| code | status | retry | |", "|---|---|---|---|"]
            + members(of: codes).map { code in
                let status = code.value["status"]?.text ?? ""
                let (retry, title) = (
                    texts(.array([code.value["retry"] ?? .null])), texts(.array([code.value["title"] ?? .null]))
                )
                return "| `\(code.key)` | \(status) | `\(retry.first ?? "")` | \(cell(title.first ?? "")) |"
            }
    }

    private static func cell(_ text: String) -> String {
        text.split(separator: "\n").joined(separator: " ").split(separator: "|", omittingEmptySubsequences: false)
            .joined(separator: "\\|")
    }

    // MARK: Types

    /// The schemas of a document, in words.
    private struct Shapes {
        private let schemas: [String: JSONValue]

        init(_ schemas: JSONValue) {
            self.schemas = Dictionary(
                ServicePage.members(of: schemas).map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
        }

        subscript(name: String) -> JSONValue? { schemas[name] }

        /// Shapes that are no message of their own here. Problems have a section of their own.
        func shared(besides messages: Set<String>) -> [String] {
            schemas.keys.filter { !messages.contains($0) && $0 != "Problem" }.sorted()
        }

        /// Which schema an ask's reply has: its own, or one that other messages have too.
        func replyName(of type: String, _ operation: JSONValue) -> String {
            schemas[type + ".reply"] != nil ? type + ".reply" : MessageSchemas.sharedReply(of: type) ?? type + ".reply"
        }

        static func link(_ name: String) -> String {
            let anchor = name.lowercased().filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
            return "[\(name)](#\(anchor))"
        }

        func type(of schema: JSONValue) -> String {
            if case .string(let target) = schema["$ref"] {
                return Self.link(target.split(separator: "/").last.map(String.init) ?? target)
            }
            for name in ["anyOf", "allOf"] {
                guard case .array(let options) = schema[name] else { continue }
                return options.filter { $0["type"] != "null" }.map(type).joined(separator: " or ")
            }
            let values = ServicePage.texts(schema["enum"])
            if !values.isEmpty { return values.map { "`\($0)`" }.joined(separator: ", ") }
            switch schema["type"] {
            case "array":
                return ["list of \(schema["items"].map(type) ?? "anything")", bounds(schema, "minItems", "maxItems")]
                    .compactMap(\.self).joined(separator: ", ")
            case "integer":
                return ["number", bounds(schema, "minimum", "maximum")].compactMap(\.self).joined(separator: ", ")
            case "string": return text(schema)
            case .string(let other): return other
            default: return "anything"
            }
        }

        private func text(_ schema: JSONValue) -> String {
            if case .string(let format) = schema["format"] { return format == "date-time" ? "time" : format }
            if schema["pattern"] == "^[0-9a-f]{32}$" { return "identifier" }
            return ["text", bounds(schema, "minLength", "maxLength")].compactMap(\.self).joined(separator: ", ")
        }

        private func bounds(_ schema: JSONValue, _ least: String, _ most: String) -> String? {
            switch (schema[least]?.text, schema[most]?.text) {
            case (let least?, let most?): "\(least) to \(most)"
            case (let least?, nil): "at least \(least)"
            case (nil, let most?): "at most \(most)"
            case (nil, nil): nil
            }
        }
    }
}
