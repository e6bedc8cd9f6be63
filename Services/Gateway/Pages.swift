import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import Sodium
import Wire

/// The files that browsers get, read once and kept: each at `/pages/<folder>/<name>`, and what people type or a browser
/// needs at the top also there.
///
/// A folder with an `index.html` or an `app.webmanifest` is an app. Its page stands at `/<folder>`, that of `home` at
/// `/`. Where a folder has no `index.html`, the page is `shared/app.html`, filled from the folder's name and its
/// manifest.
package struct Pages: Sendable {
    private var files: [String: StaticFile] = [:]

    /// Apps whose pages have maps.
    private static let withMaps: Set = ["wallet", "till", "desk", "look"]

    /// Debian's libjs-leaflet: where the package puts a file, and its name here. Without the package, maps are missing.
    private static let leaflet = [
        "leaflet/leaflet.js": "leaflet.esm.min.js", "leaflet/leaflet.css": "leaflet.css"
    ]
    private static let leafletDirectory = URL(fileURLWithPath: "/usr/share/javascript/leaflet")

    /// - Parameters:
    ///   - files: bytes by path within the folder of pages, such as `wallet/index.html`.
    ///   - tiles: what lies under maps. Pages read it as `leaflet/tiles.json`.
    package init(_ files: [String: [UInt8]], tiles: MapTiles? = nil) {
        var files = files
        files["leaflet/tiles.json"] = Array(MapTiles.json(tiles).utf8)
        if let frame = files.removeValue(forKey: "shared/app.html") {
            for (path, manifest) in files where path.hasSuffix("/app.webmanifest") {
                let app = String(path.prefix { $0 != "/" })
                if files["\(app)/index.html"] == nil {
                    files["\(app)/index.html"] = Self.page(of: app, manifest: manifest, in: frame)
                }
            }
        }
        var digests: [JSONValue.Member] = []
        for (path, bytes) in files.sorted(by: { $0.key < $1.key }) {
            guard let content = Self.content(of: path) else { continue }
            let hasMaps = Self.withMaps.contains(String(path.prefix { $0 != "/" }))
            let file = StaticFile(content, bytes, picturesFrom: hasMaps ? tiles?.origin : nil)
            self.files["/pages/" + path] = file
            if let top = Self.top(path) { self.files[top] = file }
            digests.append(.init("/pages/" + path, .string(file.digest)))
        }
        let list = JSONValue.object([.init("files", .object(digests))])
        self.files["/pages/files.json"] = StaticFile(.json, Array(list.text.utf8))
    }

    /// The pages that the gateway comes with.
    package static func own(tiles: MapTiles? = nil) throws -> Pages {
        let directory = Bundle.module.bundleURL.appendingPathComponent("Pages")
        var files: [String: [UInt8]] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: directory.path) where content(of: path) != nil {
            files[path] = Array(try Data(contentsOf: directory.appendingPathComponent(path)))
        }
        for (path, name) in leaflet {
            // Without the package the pages say that there is no map, and take a place as two numbers.
            guard let data = try? Data(contentsOf: leafletDirectory.appendingPathComponent(name)) else { continue }
            files[path] = Array(data)
        }
        return Pages(files, tiles: tiles)
    }

    private static func page(of app: String, manifest: [UInt8], in frame: [UInt8]) -> [UInt8] {
        guard let manifest = try? JSONValue(parsing: manifest), case .string(let name)? = manifest["short_name"],
            case .string(let description)? = manifest["description"]
        else { preconditionFailure("\(app)/app.webmanifest has no short_name or no description") }
        var page = String(decoding: frame, as: UTF8.self)
        for (field, value) in ["{app}": app, "{name}": name, "{description}": description] {
            page = page.replacingOccurrences(of: field, with: value)
        }
        return Array(page.utf8)
    }

    /// Where a file stands besides its own path. The worker stands at the top because a worker serves nothing above its
    /// own folder.
    private static func top(_ path: String) -> String? {
        switch path {
        case "home/index.html": return "/"
        case "shared/worker.js": return "/worker.js"
        default:
            let parts = path.split(separator: "/")
            return parts.count == 2 && parts[1] == "index.html" ? "/\(parts[0])" : nil
        }
    }

    private static func content(of path: String) -> Answer.Content? {
        switch path.split(separator: ".").last {
        case "html": .html
        case "css": .css
        case "js": .script
        case "json": .json
        case "svg": .svg
        case "webmanifest": .manifest
        default: nil
        }
    }

    /// A merchant's own page: one file, which finds out from its address whose page it is.
    private func shop(_ path: String) -> StaticFile? {
        guard path.hasPrefix("/shops/"), !path.dropFirst("/shops/".count).contains("/") else { return nil }
        return files["/shops"]
    }

    /// The answer that nothing is at an address: to a browser in words.
    func missing(_ fields: RequestFields) -> Answer {
        let fault = Fault(.notFound)
        guard fields.accept?.contains("text/html") ?? false, let page = files["/pages/shared/missing.html"] else {
            return Answer(fault)
        }
        return Answer(fault, page: page.body)
    }

    /// Nil where there is no such file.
    func answer(_ path: String, method: HTTPRequest.Method, _ fields: RequestFields) -> Answer? {
        let path = path.prefix { $0 != "?" }.description
        guard let file = files[path] ?? shop(path) else { return nil }
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
    let digest: String
    private let content: Answer.Content
    let body: ByteBuffer
    private let picturesFrom: String?
    private var etag: String { "\"\(digest)\"" }

    /// - Parameter picturesFrom: an origin from which the page may get pictures, besides this gateway.
    init(_ content: Answer.Content, _ bytes: [UInt8], picturesFrom: String? = nil) {
        digest = Digest.blake2b(bytes, length: 16).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
            .joined()
        self.content = content
        body = ByteBuffer(bytes: bytes)
        self.picturesFrom = picturesFrom
    }

    func answer(_ fields: RequestFields) -> Answer {
        let isKnown = fields.ifNoneMatch.map { $0 == "*" || $0.contains(etag) } ?? false
        var answer = Answer(status: isKnown ? 304 : 200, content: content, body: isKnown ? ByteBuffer() : body)
        answer.etag = etag
        answer.picturesFrom = picturesFrom
        return answer
    }
}
