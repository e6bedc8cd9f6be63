/// What is written for each type: initialiser, description, codec.
extension Contracts {
    func choice(_ choice: Declaration) -> String? {
        guard choice.conforms(to: "CaseIterable") else {
            guard choice.serviceName != nil else { return nil }
            return """
                extension \(choice.name) {
                    package static var summary: String { \(literal(choice.comment, in: choice.path)) }
                }

                """
        }
        let meanings = choice.members.filter { !$0.comment.isEmpty }
            .map { "            .\($0.name): \(literal($0.comment, in: choice.path)),\n" }
        return """
            extension \(choice.name): Choice {
                package static var summary: String { \(literal(choice.comment, in: choice.path)) }
                package static var meanings: [Self: String] {
                    [\(meanings.isEmpty ? ":" : "\n" + meanings.joined() + "        ")]
                }
            }

            """
    }

    func record(_ record: Declaration) -> String? {
        guard isShape(record) else { return nil }
        let isMessage = record.conforms(to: "Ask") || record.conforms(to: "Fact")
        var parts: [String] = []
        if !record.hasInit { parts.append(initialiser(record)) }
        parts.append(description(record))
        if record.needsCodec { parts.append(codec(record)) }
        let head = "extension \(record.name)\(isMessage ? "" : ": Shape") {\n"
        return head + parts.joined(separator: "\n") + "}\n"
    }

    /// A codec alone, for a type that is described elsewhere or not at all.
    func coded(_ record: Declaration) -> String? {
        guard record.needsCodec else { return nil }
        return "extension \(record.name) {\n" + (record.hasInit ? "" : initialiser(record) + "\n") + codec(record)
            + "}\n"
    }

    /// What travels: a refusal and raw JSON have forms of their own.
    private func isShape(_ record: Declaration) -> Bool {
        ["Ask", "Fact", "Codable", "WireMessage", "FastCoded"].contains(where: record.conforms)
    }

    /// One that other modules see. The compiler's own is internal and has the same parameters but for the last, which
    /// nobody gives: without it the two would be one declaration made twice.
    private func initialiser(_ record: Declaration) -> String {
        let parameters = record.members.map { field in
            let fallback = field.fallback ?? (field.isOptional ? "nil" : nil)
            return "\(field.name): \(qualified(field.type, in: record.path))" + (fallback.map { " = \($0)" } ?? "")
        }
        let list = (parameters + ["_: Void = ()"]).map { "        \($0)" }.joined(separator: ",\n")
        let assignments = record.members.map { "        self.\($0.name) = \($0.name)\n" }
        return "    package init(\n" + list + "\n    ) {\n" + assignments.joined() + "    }\n"
    }

    private func description(_ record: Declaration) -> String {
        var text = "    package static var summary: String { \(literal(record.comment, in: record.path)) }\n"
        text += "    package static var fields: [Field<Self>] {\n        [\n"
        for field in record.members {
            let comment = field.comment.isEmpty ? "" : ", \(literal(field.comment, in: record.path))"
            text += "            Field(\"\(field.name)\", \\.\(field.name)\(comment)),\n"
        }
        text += "        ]\n    }\n"
        let parts = record.members.compactMap { part($0, of: record) }
        if !parts.isEmpty {
            text +=
                "    package static \(record.isGeneric ? "var parts: [Limit<Self>] {" : "let parts: [Limit<Self>] =") [\n"
            text += parts.map { "        \($0),\n" }.joined() + "    ]\(record.isGeneric ? " }" : "")\n"
        }
        return text
    }

    /// The limits of a field's own type hold wherever a message has such a field.
    private func part(_ field: Declaration.Member, of record: Declaration) -> String? {
        let name = field.type.replacing(/[\[\]?]/, with: "").split(separator: ".").map(String.init)
        guard let head = name.first, let first = declaration(head, from: record.path),
            let type = byName[([first.name] + name.dropFirst()).joined(separator: ".")], hasLimits(type)
        else { return nil }
        return field.type.hasPrefix("[") ? ".each(\\.\(field.name))" : ".within(\\.\(field.name))"
    }

    private func hasLimits(_ record: Declaration) -> Bool {
        record.hasLimits || record.members.contains { part($0, of: record) != nil }
    }

    // MARK: Codec

    private func codec(_ record: Declaration) -> String {
        let fields = record.members
        var text = ""
        if record.conforms(to: "WireValue") {
            text += """
                    package func write(to writer: inout JSONWriter) { fastWrite(to: &writer) }
                    package static func read(_ reader: inout JSONReader) throws(WireError) -> Self { try fastRead(&reader) }


                """
        }
        text += "    package func fastWrite(to writer: inout JSONWriter) {\n        writer.beginObject()\n"
        for field in fields { text += "        writer.field(\"\(field.name)\", \(field.name))\n" }
        text += "        writer.endObject()\n    }\n\n"
        text += "    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {\n"
        for field in fields {
            let type = qualified(field.type, in: record.path)
            text += "        var \(field.name): \(field.isOptional ? type : type + "?")\n"
        }
        text += "        try reader.object { key, reader throws(WireError) in\n            switch key {\n"
        for field in fields {
            let take = field.isOptional ? "takeOptional" : "take"
            text += "            case \"\(field.name)\": try reader.\(take)(&\(field.name), key)\n"
        }
        text += "            default: throw reader.unknown(key)\n            }\n        }\n        return Self(\n"
        text += fields.map { field in
            "            \(field.name): \(field.isOptional ? field.name : "try required(\(field.name), \"\(field.name)\")")"
        }.joined(separator: ",\n")
        return text + "\n        )\n    }\n"
    }
}
