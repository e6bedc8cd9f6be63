import Foundation
import Glibc
import HTTPClient
import Primitives
import Wire

/// Pay now over HTTP: one thread, many keep-alive connections, one payment in flight on each.
struct HTTPBench {
    let address: String
    let seconds: Double
    let connections: Int

    /// Customers among whom the connections are shared out; each log-in costs two password hashes.
    private static let customers = 4

    func run(_ time: inout ProcessorTime) throws -> Figure {
        let setup = try HTTPClient(address)
        let run = "\(getpid())-\(monotonicNanoseconds())"
        let merchant = try party(setup, "merchants", "bench-m-\(run)").id
        let tokens = try (0..<Self.customers).map { try customer(setup, "bench-c\($0)-\(run)", run) }

        let clients = try (0..<connections).map { _ in
            let client = try HTTPClient(address)
            try client.connect()
            return client
        }
        var polls = clients.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        var starts = [UInt64](repeating: 0, count: connections)
        var samples: [Double] = []
        var number = 0
        func pay(_ index: Int) throws {
            number += 1
            starts[index] = monotonicNanoseconds()
            try clients[index].send(
                HTTPClient.text(
                    "POST", "/v1/payments", host: address, token: tokens[index % tokens.count], key: "\(run)-\(number)",
                    body: #"{"merchant":"\#(merchant)","amount":{"amount":1,"currency":"USD"},"memo":"Coffee"}"#))
        }
        time.start()
        let started = monotonicNanoseconds()
        let end = started + UInt64(seconds * 1e9)
        for index in clients.indices { try pay(index) }
        var open = connections
        while open > 0 {
            poll(&polls, nfds_t(polls.count), 1000)
            for index in clients.indices where polls[index].revents != 0 {
                guard let response = try clients[index].receiveAvailable() else { continue }
                guard response.status == 201 else {
                    throw HTTPClient.Failure("a payment was refused: \(String(decoding: response.body, as: UTF8.self))")
                }
                let now = monotonicNanoseconds()
                samples.append(Double(now - starts[index]) / 1000)
                if now < end {
                    try pay(index)
                } else {
                    polls[index].fd = -1
                    open -= 1
                }
            }
        }
        return Figure(
            "durable payments over HTTP, \(connections) connections", count: samples.count,
            seconds: Double(monotonicNanoseconds() - started) / 1e9, samples, &time)
    }

    private func party(_ client: HTTPClient, _ route: String, _ name: String) throws -> (token: String, id: String) {
        let credentials: JSONValue = ["username": .string(name), "password": "bench-password"]
        _ = try client.request("POST", "/v1/\(route)", body: credentials)
        let session = try client.request("POST", "/v1/sessions", body: credentials).json
        guard case .string(let token)? = session["token"], case .string(let id)? = session["session"]?["account"] else {
            throw HTTPClient.Failure("cannot log in: \(session.text)")
        }
        return (token, id)
    }

    /// A customer with a PIN entered and a card with money on it.
    private func customer(_ client: HTTPClient, _ name: String, _ run: String) throws -> String {
        let token = try party(client, "customers", name).token
        _ = try client.request("PUT", "/v1/pin", token: token, body: ["password": "bench-password", "pin": "1234"])
        _ = try client.request("POST", "/v1/pin/verifications", token: token, body: ["pin": "1234"])
        let digits = String(monotonicNanoseconds())
        let card = try client.request(
            "POST", "/v1/cards", token: token, key: "card",
            body: ["number": .string(String(repeating: "0", count: 16 - digits.count) + digits), "code": "12345678"]
        ).json
        guard case .string(let id)? = card["card"] else { throw HTTPClient.Failure("no card: \(card.text)") }
        let reload = try client.request(
            "POST", "/v1/cards/\(id)/reloads", token: token, key: "reload",
            body: ["amount": ["amount": 100_000_000, "currency": "USD"]])
        guard reload.status == 201 else { throw HTTPClient.Failure("no reload: \(reload.json.text)") }
        return token
    }
}
