import Contracts
import Foundation
import Glibc
import NotificationsService
import Primitives
import Synchronization
import Testing

/// A name that leads elsewhere the second time it is looked up (rebinding).
@Suite("a user's host is looked up once, and the connection goes to what was found")
struct ReboundNameTests {
    /// Where `HOOK.rebound.test` leads: to this machine first, and to nobody after that.
    private final class Names: Sendable {
        let asked = Mutex<[String]>([])

        var resolve: HTTPSender.Resolve {
            { [self] name in
                asked.withLock { asked in
                    asked.append(name)
                    return asked.count == 1 ? [[127, 0, 0, 1]] : [[192, 0, 2, 1]]
                }
            }
        }
    }

    /// Answers one request with 200, and gives what was asked.
    private final class Receiver: Sendable {
        private let listener: Int32
        let port: UInt16
        let head = Mutex("")

        init() throws {
            listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            // The test ends where nobody connects.
            var patience = timeval(tv_sec: 20, tv_usec: 0)
            setsockopt(listener, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let descriptor = listener
            try #require(
                withUnsafeMutablePointer(to: &address) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        bind(descriptor, $0, length) == 0 && listen(descriptor, 1) == 0
                            && getsockname(descriptor, $0, &length) == 0
                    }
                })
            port = UInt16(bigEndian: address.sin_port)
        }

        func answerOne() {
            let connection = accept(listener, nil, nil)
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = read(connection, &bytes, bytes.count)
            head.withLock { $0 = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self) }
            let answer = Array("HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".utf8)
            _ = write(connection, answer, answer.count)
            close(connection)
        }

        deinit { close(listener) }
    }

    private func delivery(_ address: String, _ channel: Medium) -> Delivery {
        Delivery(
            id: .test(1), notice: nil, account: .shop, channel: channel, address: address, endpoint: nil,
            secret: [UInt8](repeating: 7, count: 32), kind: nil, title: "payments.charge.captured.v1", text: "{}",
            link: nil, created: NoticesHarness.start, expires: NoticesHarness.start + .seconds(60), attempts: 0)
    }

    @Test(
        "however it is written",
        arguments: ["hook.rebound.test", "HOOK.rebound.test", "Hook.Rebound.Test.", "XN--BCHER-KVA.test", "0X7F.1"])
    func once(host: String) async throws {
        let (names, receiver) = (Names(), try Receiver())
        let sender = try HTTPSender(
            trusting: nil, allowsPrivate: true, patience: .seconds(10), resolving: names.resolve)
        async let served: Void = withCheckedContinuation { continuation in
            Thread.detachNewThread {
                receiver.answerOne()
                continuation.resume()
            }
        }
        let attempt = await WebhookProvider(sender).send(
            delivery("http://\(host):\(receiver.port)/hook", .hook), at: NoticesHarness.start)
        #expect(attempt == .delivered())
        await served
        await sender.shutdown()
        let name = host.lowercased().hasSuffix(".") ? String(host.lowercased().dropLast()) : host.lowercased()
        #expect(names.asked.withLock { $0 } == [name])
        #expect(receiver.head.withLock { $0.lowercased() }.contains("host: \(name):\(receiver.port)\r\n"))
    }

    /// An address at which nobody is refused and nobody gets through: its queue of connections is full.
    private final class BlackHole {
        private var descriptors: [Int32] = []

        init(_ address: String, _ port: UInt16) {
            var place = sockaddr_in()
            place.sin_family = sa_family_t(AF_INET)
            place.sin_addr.s_addr = inet_addr(address)
            place.sin_port = port.bigEndian
            for index in 0..<16 {
                let blocks: Int32 = index == 0 ? 0 : Int32(SOCK_NONBLOCK.rawValue)
                let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | blocks, 0)
                descriptors.append(descriptor)
                withUnsafePointer(to: &place) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
                        if index == 0 {
                            #expect(bind(descriptor, $0, length) == 0 && listen(descriptor, 0) == 0)
                        } else {
                            connect(descriptor, $0, length)
                        }
                    }
                }
            }
        }

        deinit { for descriptor in descriptors { close(descriptor) } }
    }

    @Test("an address that lets nobody through does not keep a delivery from the next one")
    func nextAddress() async throws {
        let receiver = try Receiver()
        let hole = BlackHole("127.0.0.2", receiver.port)
        let sender = try HTTPSender(trusting: nil, allowsPrivate: true) { _ in [[127, 0, 0, 2], [127, 0, 0, 1]] }
        async let served: Void = withCheckedContinuation { continuation in
            Thread.detachNewThread {
                receiver.answerOne()
                continuation.resume()
            }
        }
        let attempt = await WebhookProvider(sender).send(
            delivery("http://hook.rebound.test:\(receiver.port)/hook", .hook), at: NoticesHarness.start)
        #expect(attempt == .delivered())
        await served
        await sender.shutdown()
        withExtendedLifetime(hole) {}
    }

    @Test(
        "and nothing is sent to what is inside, by web hook or web push",
        arguments: [
            "HOOK.rebound.test", "Hook.rebound.test.", "127.1", "0x7F000001", "[::1]", "[::FFFF:127.0.0.1]",
            "127.0.0.1."
        ])
    func inside(host: String) async throws {
        let names = Names()
        let sender = try HTTPSender(trusting: nil, allowsPrivate: false, resolving: names.resolve)
        let attempt = await WebhookProvider(sender).send(delivery("https://\(host)/", .hook), at: NoticesHarness.start)
        #expect(attempt == .refused("address_not_public"))
        #expect(names.asked.withLock { $0.count } <= 1)
        await sender.shutdown()
    }
}
