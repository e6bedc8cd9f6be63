import NIOHTTP1

extension HTTPRequestHead {
    /// HTTP/1.0 has neither chunks nor informational answers, and closes a connection that is not kept alive by
    /// request.
    var isHTTP10: Bool { version.minor == 0 }

    /// Whether its host and its body's end are unambiguous (RFC 9112 sections 3.2 and 6.1). A proxy may have read an
    /// ambiguous request in another way.
    var isSound: Bool {
        var (hosts, codings) = (0, 0)
        for (name, value) in headers {
            switch name.utf8.count {
            case 4 where name.lowercased() == "host":
                hosts += 1
                guard
                    withoutTrailingSpace(value).utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: ",") })
                else { return false }
            case 17 where name.lowercased() == "transfer-encoding":
                codings += 1
                guard withoutTrailingSpace(value).lowercased() == "chunked" else { return false }
            default: continue
            }
        }
        return isHTTP10 ? hosts <= 1 && codings == 0 : hosts == 1 && codings <= 1
    }

    /// Whether the client waits for `100 Continue` before it sends the body (RFC 9110 section 10.1.1).
    var isHeldBack: Bool {
        !isHTTP10 && headers[canonicalForm: "expect"].contains { $0.lowercased() == "100-continue" }
    }
}
