import GatewayService
import Testing

@Suite("pages")
struct PagesTests {
    @Test("are the files that the gateway comes with")
    func own() throws { _ = try Pages.own() }

    @Test("the operator's page is where people type it too")
    func operators() async throws {
        let harness = GatewayHarness(pages: Pages(["ops/index.html": Array("<p>".utf8)]))
        for path in ["/ops", "/pages/ops/index.html"] {
            #expect(try await harness.send("GET", path).headers[.contentType] == "text/html; charset=utf-8")
        }
    }

    @Test("are served with their types, a strict policy, and a version that is not sent twice")
    func served() async throws {
        let harness = GatewayHarness(pages: Pages(["home/index.html": Array("<p>".utf8), "a.js": [], "notes.txt": []]))
        for path in ["/", "/?x=1", "/pages/home/index.html"] {
            let page = try await harness.send("GET", path)
            #expect(page.status == 200 && page.text == "<p>")
            #expect(page.headers[.contentType] == "text/html; charset=utf-8")
            #expect(page.headers[.contentSecurityPolicy]?.hasPrefix("default-src 'none'; script-src 'self'") == true)
            #expect(page.headers[.cacheControl] == "no-cache")
            let etag = try #require(page.headers[.eTag])
            let again = try await harness.send("GET", path, headers: [.ifNoneMatch: "\"x\", \(etag)"])
            #expect(again.status == 304 && again.text.isEmpty)
            let head = try await harness.send("HEAD", path)
            #expect(head.status == 200 && head.text.isEmpty && head.headers[.contentLength] == "3")
        }
        #expect(try await harness.send("GET", "/pages/a.js").headers[.contentType] == "text/javascript; charset=utf-8")
        for path in ["/pages/notes.txt", "/pages/../home/index.html", "/pages/", "/home", "/home/index.html"] {
            #expect(try await harness.send("GET", path).code == "gateway.not_found")
        }
        let refused = try await harness.send("POST", "/", body: "{}")
        #expect(refused.status == 405 && refused.headers[.allow] == "GET, HEAD")
    }

    @Test("stand at the path of their app, the worker at the top, and a list names them all with their versions")
    func apps() async throws {
        let harness = GatewayHarness(
            pages: Pages([
                "wallet/index.html": Array("<p>".utf8), "wallet/app.webmanifest": Array("{}".utf8),
                "shared/worker.js": Array("1".utf8), "notes.txt": []
            ]))
        #expect(try await harness.send("GET", "/wallet").text == "<p>")
        let worker = try await harness.send("GET", "/worker.js")
        #expect(worker.text == "1" && worker.headers[.contentType] == "text/javascript; charset=utf-8")
        let manifest = try await harness.send("GET", "/pages/wallet/app.webmanifest")
        #expect(manifest.headers[.contentType] == "application/manifest+json")
        let list = try await harness.send("GET", "/pages/files.json")
        let version = try #require(manifest.headers[.eTag]).dropFirst().dropLast()
        #expect(list.text.contains("\"/pages/wallet/app.webmanifest\":\"\(version)\""))
        #expect(list.headers[.contentType] == "application/json")
        #expect(!list.text.contains("notes.txt"))
    }

    @Test("an app without a page of its own has the frame of all, with its name and description")
    func frame() async throws {
        let harness = GatewayHarness(
            pages: Pages([
                "shared/app.html": Array("<title>{name}</title>{description} {app}/{app}.js".utf8),
                "till/app.webmanifest": Array(#"{"short_name":"Till","description":"Charge."}"#.utf8),
                "ops/index.html": Array("<p>".utf8), "ops/app.webmanifest": Array("{}".utf8)
            ]))
        for path in ["/till", "/pages/till/index.html"] {
            #expect(try await harness.send("GET", path).text == "<title>Till</title>Charge. till/till.js", "\(path)")
        }
        #expect(try await harness.send("GET", "/ops").text == "<p>")
        #expect(try await harness.send("GET", "/pages/shared/app.html").status == 404)
    }
}
