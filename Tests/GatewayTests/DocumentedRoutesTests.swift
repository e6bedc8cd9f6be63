import Foundation
import GatewayService
import Testing

@Suite("The page about the HTTP interface")
struct DocumentedRoutesTests {
    @Test("lists every route, and none that there is not")
    func complete() throws {
        let root = #filePath.components(separatedBy: "/Tests/")[0]
        let page = try String(contentsOfFile: "\(root)/docs/http.md", encoding: .utf8)
        let row = /\| `((?:GET|POST|PUT|DELETE) \/[^`]*)` \|.*/
        let listed = page.split(separator: "\n").compactMap { $0.wholeMatch(of: row).map { String($0.output.1) } }
        // docs/touch.md has the paths of devices.
        let served = RouteTable.all.map { "\($0.method.rawValue) \($0.path.text)" }
            .filter { !$0.contains("/v1/devices") }
        #expect(Set(served).subtracting(listed).sorted() == [], "served, and not on the page")
        #expect(Set(listed).subtracting(served).sorted() == [], "on the page, and not served")
        #expect(listed.count == Set(listed).count, "listed twice")
    }
}
