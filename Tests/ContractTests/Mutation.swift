import Wire

/// Changes to a JSON text such as careless or hostile writers make.
extension SplitMix64 {
    /// One to three bytes changed, put in, taken out or repeated, or the text cut off.
    mutating func damaged(_ text: [UInt8]) -> [UInt8] {
        var text = text
        let likely = Array("{}[]\":,0123456789eE+-.truefalsn\\u \n\0".utf8) + [0x80, 0xC3, 0xFF]
        for _ in 0...next() % 3 where !text.isEmpty {
            let place = Int(next() % UInt64(text.count))
            switch next() % 6 {
            case 0: text[place] ^= 1 << UInt8(next() % 8)
            case 1: text[place] = likely[Int(next() % UInt64(likely.count))]
            case 2: text.insert(likely[Int(next() % UInt64(likely.count))], at: place)
            case 3: text.remove(at: place)
            case 4: text.insert(text[place], at: place)
            default: if next() % 8 == 0 { text.removeSubrange(place...) }
            }
        }
        return text
    }

    /// One object of the tree with a key dropped, repeated, renamed, moved or given another value.
    mutating func rearranged(_ value: JSONValue) -> JSONValue {
        guard case .object(var members) = value, !members.isEmpty else { return value }
        let place = Int(next() % UInt64(members.count))
        let member = members[place]
        if case .object = member.value, bool() {
            members[place] = JSONValue.Member(member.key, rearranged(member.value))
            return .object(members)
        }
        switch next() % 8 {
        case 0: members.remove(at: place)
        case 1: members.insert(member, at: Int(next() % UInt64(members.count + 1)))
        case 2: members.insert(JSONValue.Member(member.key, .null), at: Int(next() % UInt64(members.count + 1)))
        case 3: members[place] = JSONValue.Member(member.key, .null)
        case 4: members[place] = JSONValue.Member(bool() ? member.key.uppercased() : member.key + "s", member.value)
        case 5: members.shuffle(using: &self)
        case 6: members[place] = JSONValue.Member(member.key, other())
        default:
            // Optional fields are rarely there twice by chance, and only there can `null` hide the first.
            let optional = ["card", "attempt", "detail"][Int(next() % 3)]
            for _ in 0...next() % 2 {
                let value: JSONValue = bool() ? .null : .string("0123456789abcdef0123456789abcdef")
                members.insert(JSONValue.Member(optional, value), at: Int(next() % UInt64(members.count + 1)))
            }
        }
        return .object(members)
    }

    private mutating func other() -> JSONValue {
        let others: [JSONValue] = [
            true, 0, -1, "", "USD", "0123456789abcdef0123456789abcdef", [], [:], ["amount": 1, "currency": "EUR"],
            "2026-11-21T09:30:00+01:00", .integer(.max)
        ]
        return others[Int(next() % UInt64(others.count))]
    }

    /// White space between tokens; within strings the bytes stay as they are.
    mutating func spaced(_ text: [UInt8]) -> [UInt8] {
        var spaced: [UInt8] = []
        var (isInString, isEscaped) = (false, false)
        for byte in text {
            let isStructure = !isInString && "{}[]:,\"".utf8.contains(byte)
            if isStructure { for _ in 0..<next() % 3 { spaced.append(Array(" \t\r\n".utf8)[Int(next() % 4)]) } }
            spaced.append(byte)
            if isInString, isEscaped {
                isEscaped = false
            } else if isInString, byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInString.toggle()
            }
        }
        return spaced
    }
}
