import Contracts
import NotificationsService
import Testing

@Suite("where users' URLs may lead")
struct AddressTests {
    @Test(
        "no address of ours, of our network or of nobody is public",
        arguments: [
            [0, 0, 0, 0], [10, 1, 2, 3], [100, 64, 0, 1], [100, 127, 255, 255], [127, 0, 0, 1], [127, 1, 2, 3],
            [169, 254, 169, 254], [172, 16, 0, 1], [172, 31, 255, 255], [192, 0, 0, 1], [192, 0, 2, 1],
            [192, 88, 99, 1], [192, 168, 1, 1], [198, 18, 0, 1], [198, 51, 100, 1], [203, 0, 113, 1], [224, 0, 0, 1],
            [240, 0, 0, 1], [255, 255, 255, 255]
        ] as [[UInt8]])
    func privateV4(bytes: [UInt8]) {
        #expect(!PublicAddress.contains(bytes))
        // Nor is it in the clothes of IPv6: mapped, NAT64, 6to4.
        #expect(!PublicAddress.contains([UInt8](repeating: 0, count: 10) + [0xFF, 0xFF] + bytes))
        #expect(!PublicAddress.contains([0, 0x64, 0xFF, 0x9B] + [UInt8](repeating: 0, count: 8) + bytes))
        #expect(!PublicAddress.contains([0x20, 0x02] + bytes + [UInt8](repeating: 0, count: 10)))
    }

    @Test(
        "others are",
        arguments: [
            [1, 1, 1, 1], [8, 8, 8, 8], [100, 63, 0, 1], [100, 128, 0, 1], [172, 15, 0, 1], [172, 32, 0, 1],
            [192, 167, 0, 1], [198, 20, 0, 1], [223, 255, 255, 255]
        ] as [[UInt8]])
    func publicV4(bytes: [UInt8]) {
        #expect(PublicAddress.contains(bytes))
        #expect(PublicAddress.contains([UInt8](repeating: 0, count: 10) + [0xFF, 0xFF] + bytes))
    }

    @Test("of IPv6 only global unicast")
    func v6() {
        func address(_ start: [UInt8], last: UInt8 = 1) -> [UInt8] {
            start + [UInt8](repeating: 0, count: 15 - start.count) + [last]
        }
        for start in [
            [], [0xFE, 0x80], [0xFC], [0xFD, 0x12], [0xFF, 0x02], [0x20, 0x01, 0x0D, 0xB8], [0x20, 0x01, 0, 0]
        ]
            as [[UInt8]]
        {
            #expect(!PublicAddress.contains(address(start)), "\(start)")
        }
        #expect(!PublicAddress.contains([UInt8](repeating: 0, count: 16)))
        #expect(PublicAddress.contains(address([0x26, 0x06, 0x47, 0x00])))
        #expect(PublicAddress.contains(address([0x2A, 0x00])))
        #expect(!PublicAddress.contains([1, 2, 3]))
    }

    @Test("a URL's parts")
    func urls() throws {
        let url = try #require(WebAddress("https://Push.Example.com:8443/a/b?c=d"))
        #expect(url.host == "push.example.com" && url.port == 8443 && url.path == "/a/b?c=d" && url.isSecure)
        #expect(url.origin == "https://push.example.com:8443")
        #expect(WebAddress("https://push.example.com:443/x")?.origin == "https://push.example.com")
        #expect(WebAddress("https://[2001:db8::1]/x")?.host == "2001:db8::1")
        #expect(WebAddress("http://example.com")?.path == "/")
    }

    @Test(
        "a host has one spelling, which is what is asked for",
        arguments: [
            ("https://HOOK.Example.COM/A?b=C", "hook.example.com", "https://hook.example.com/A?b=C"),
            ("HTTPS://hook.example.com./", "hook.example.com", "https://hook.example.com/"),
            ("https://XN--BCHER-KVA.example:443", "xn--bcher-kva.example", "https://xn--bcher-kva.example/"),
            ("http://hook.example.com:8080?x", "hook.example.com", "http://hook.example.com:8080/?x"),
            ("https://[2001:0DB8:0:0::0001]:444/", "2001:db8::1", "https://[2001:db8::1]:444/"),
            ("https://[::FFFF:127.0.0.1]/", "::ffff:127.0.0.1", "https://[::ffff:127.0.0.1]/"),
            ("https://127.0.0.1./", "127.0.0.1", "https://127.0.0.1/"), ("https://0X7F.1/", "0x7f.1", "https://0x7f.1/")
        ])
    func spelling(text: String, host: String, asked: String) throws {
        let url = try #require(WebAddress(text))
        #expect(url.host == host && url.text == asked)
        #expect(WebAddress(url.text) == url)
    }

    @Test(
        "what is no URL to follow",
        arguments: [
            "", "example.com", "ftp://example.com/", "https://", "https:///x", "https://a@example.com/",
            "https://example.com/#f", "https://example.com:0/", "https://example.com:65536/", "https://example.com:/",
            "https://exa mple.com/", "https://example.com/\n", "https://exämple.com/", "https://[::1", "https://[]/",
            "https://e\\xample.com/", "https://ex%61mple.com/", "https://example.com../", "https://./", "https://a..b/",
            "https://[127.0.0.1]/", "https://[fe80::1%25eth0]/", "https://[::1].example.com/", "https://[1:2]/"
        ])
    func noURLs(text: String) { #expect(WebAddress(text) == nil) }

    @Test("mail addresses, and what only looks like one")
    func mail() {
        for text in ["ada@example.com", "a.b+c@mail.example.co.uk", "x@localhost", "o'neil@example.com"] {
            #expect(MailAddress(text)?.text == text)
        }
        for text in [
            "", "ada", "@example.com", "ada@", "a@b@c", "a b@example.com", "ada@exa_mple.com", "ada@-x.com",
            ".a@example.com", "a..b@example.com", "a@example..com", "a@example.com\r\nRCPT TO:<b@c>", "ä@example.com",
            "<a@example.com>", String(repeating: "a", count: 65) + "@example.com"
        ] {
            #expect(MailAddress(text) == nil, "\(text)")
        }
    }
}
