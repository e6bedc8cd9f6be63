import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import Sodium

/// The files that browsers get: each at `/pages/<name>`, whole pages also at a path that people type. Read once, and
/// kept.
package struct Pages: Sendable {
    private var files: [String: StaticFile] = [:]

    /// What people type.
    private static let paths = ["index.html": "/", "ops.html": "/ops"]

    /// - Parameter files: bytes by name.
    package init(_ files: [String: [UInt8]]) {
        for (name, bytes) in files {
            guard let content = Self.content(of: name) else { continue }
            let file = StaticFile(content, bytes)
            self.files["/pages/" + name] = file
            if let path = Self.paths[name] { self.files[path] = file }
        }
    }

    /// The pages that the gateway comes with.
    package static func own() throws -> Pages {
        let directory = Bundle.module.bundleURL.appendingPathComponent("Pages")
        var files: [String: [UInt8]] = [:]
        for file in try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil) {
            files[file.lastPathComponent] = Array(try Data(contentsOf: file))
        }
        return Pages(files)
    }

    private static func content(of name: String) -> Answer.Content? {
        switch name.split(separator: ".").last {
        case "html": .html
        case "css": .css
        case "js": .script
        case "svg": .svg
        default: nil
        }
    }

    /// Nil where there is no such file.
    func answer(_ path: String, method: HTTPRequest.Method, _ fields: RequestFields) -> Answer? {
        guard let file = files[path.prefix { $0 != "?" }.description] else { return nil }
        guard method == .get || method == .head else {
            var refusal = Answer(Fault(.methodNotAllowed))
            refusal.allow = "GET, HEAD"
            return refusal
        }
        return file.answer(fields)
    }
}

/// Bytes that are the same for everyone, and that a client need not get twice.
struct StaticFile: Sendable {
    private let content: Answer.Content
    private let body: ByteBuffer
    private let etag: String

    init(_ content: Answer.Content, _ bytes: [UInt8]) {
        let digest = Digest.blake2b(bytes, length: 16).map {
            String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
        }
        self.content = content
        body = ByteBuffer(bytes: bytes)
        etag = "\"\(digest.joined())\""
    }

    func answer(_ fields: RequestFields) -> Answer {
        let isKnown = fields.ifNoneMatch.map { $0 == "*" || $0.contains(etag) } ?? false
        var answer = Answer(status: isKnown ? 304 : 200, content: content, body: isKnown ? ByteBuffer() : body)
        answer.etag = etag
        return answer
    }
}
