import Supervision
import Testing

@Suite("A compose file")
struct ComposeReaderTests {
    private static let text = """
        x-process: &process
          image: billfold
          restart: unless-stopped
          read_only: true
        x-environment: &environment
          BILLFOLD_RUN: /run/billfold
          BILLFOLD_DATA: /data
          BILLFOLD_LOG:
        services:
          broker:
            <<: *process
            command: [billfold-broker]
            environment: *environment
            volumes: ["run:/run/billfold"]
            healthcheck: { test: [CMD, billfold-broker, --health], interval: 3s }
          wallet:
            <<: *process
            entrypoint: [/opt/billfold/billfold-wallet]
            depends_on:
              broker: { condition: service_healthy }
            environment:
              <<: *environment
              BILLFOLD_LOG: debug
              BILLFOLD_KEY: /run/secrets/key
              BILLFOLD_TABLE: /etc/tables/one
            secrets: [key]
            volumes: ["run:/run/billfold", "wallet:/data", "./tables:/etc/tables:ro"]
            healthcheck: { test: [CMD, billfold-wallet, --health] }
          gateway:
            restart: on-failure:3
            depends_on: [wallet]
            environment: [BILLFOLD_HTTP=0.0.0.0:8080, BILLFOLD_GIVEN]
            ports: ["${PUBLISH:-127.0.0.1:8080}:8080"]
            healthcheck: { test: [CMD, billfold-gateway, --health] }
          own:
            command: ./own --flag
            healthcheck: { test: test -e /tmp/own }
          tool:
            profiles: [tools]
            entrypoint: [billfold]
            command: [--help]
        volumes: { run: , wallet: }
        secrets:
          key: { file: "${KEY:-deploy/key}" }
        """
    private static let places = LocalSet.Places(project: "/p", run: "/tmp/r", data: "/d", executables: "/bin")

    private func set(_ environment: [String: String] = [:], profiles: Set<String> = []) throws -> LocalSet {
        let file = try ComposeReader.read(Self.text, environment: environment)
        return try LocalSet(file, at: Self.places, profiles: profiles, environment: environment)
    }

    @Test("becomes processes of this machine, in its order and without those of profiles")
    func processes() throws {
        let set = try set()
        #expect(set.processes.map(\.name) == ["broker", "wallet", "gateway", "own"])
        #expect(
            set.processes.map(\.command) == [
                ["billfold-broker"], ["billfold-wallet"], ["billfold-gateway"], ["./own", "--flag"]
            ])
        #expect(set.processes.map(\.restart) == [.always, .always, .onFailure(triesMax: 3), .no])
        #expect(
            set.processes.map(\.health) == [
                .bus("broker"), .bus("wallet"), .gateway, .command(["/bin/sh", "-c", "test -e /tmp/own"])
            ])
        #expect(set.processes.map(\.listensOn) == [nil, nil, "127.0.0.1:8080", nil])
        #expect(set["wallet"]?.dependencies == [.init(service: "broker", condition: .healthy)])
        #expect(set["gateway"]?.dependencies == [.init(service: "wallet", condition: .started)])
        #expect(try self.set(profiles: ["tools"])["tool"]?.command == ["billfold", "--help"])
    }

    @Test("has its containers' paths and ports put into this machine's terms")
    func environment() throws {
        let wallet = try #require(try set()["wallet"]?.environment)
        #expect(
            wallet == [
                "BILLFOLD_RUN": "/tmp/r", "BILLFOLD_DATA": "/d", "BILLFOLD_LOG": "debug",
                "BILLFOLD_KEY": "/p/deploy/key",
                "BILLFOLD_TABLE": "/p/tables/one"
            ])
        #expect(try set(["KEY": "/etc/key"])["wallet"]?.environment["BILLFOLD_KEY"] == "/etc/key")
        #expect(try set()["broker"]?.environment["BILLFOLD_LOG"] == nil)
        #expect(try set(["BILLFOLD_LOG": "trace"])["broker"]?.environment["BILLFOLD_LOG"] == "trace")
        #expect(try set()["gateway"]?.environment["BILLFOLD_HTTP"] == "127.0.0.1:8080")
        #expect(
            try set(["PUBLISH": "127.0.0.1:9000-9002"])["gateway"]?.environment["BILLFOLD_HTTP"] == "127.0.0.1:9000")
        #expect(try set(["BILLFOLD_HTTP": "127.0.0.1:1"])["gateway"]?.environment["BILLFOLD_HTTP"] == "127.0.0.1:1")
        #expect(try set(["BILLFOLD_GIVEN": "x"])["gateway"]?.environment["BILLFOLD_GIVEN"] == "x")
    }

    @Test(
        "is refused by line and name where it says what cannot be done",
        arguments: [
            ("services: {a: {privileged: true}}", "line 1: services.a.privileged is not known here"),
            ("services:\n  a: {restart: maybe}", "line 2: services.a.restart is 'maybe'"),
            ("services: {a: {depends_on: [b]}}", "a depends on 'b', which is no service"),
            ("services: {a: {depends_on: {a: {condition: service_sound}}}}", "condition is 'service_sound'"),
            ("services: {a: {depends_on: [b]}, b: {depends_on: [a]}}", "these wait for each other: a, b"),
            ("services: {a: {depends_on: [b]}, b: {profiles: [x]}}", "b, which is of a profile"),
            ("services: {a: {secrets: [s]}}", "the secret 's', which the file does not name"),
            ("services: {a: {command: \"x 'y z'\"}}", "has quotes"),
            ("services: {a: {ports: [http]}}", "a port is written"),
            ("services: {a: {scale: 3}}", "one process of each service"),
            ("services: {a: {command: [\"${NO!}\"]}}", "cannot be read"),
            ("services: {a: {}, a: {}}", "duplicated"), ("services: [a]", "services is no mapping"),
            ("services: {}", "no services"),
            ("include: [x]\nservices: {a: {}}", "'include' at the top level"), ("", "it is empty"), ("a: [", "no YAML"),
            ("services: {a: {healthcheck: {test: [x]}}}", "begins with CMD"),
            ("secrets: {s: {external: true}}\nservices: {a: {}}", "has no 'file'")
        ])
    func refusals(text: String, expected: String) {
        let error = #expect(throws: ComposeError.self) {
            _ = try LocalSet(try ComposeReader.read(text, environment: [:]), at: Self.places)
        }
        #expect(error?.description.contains(expected) == true, "\(error?.description ?? "")")
    }

    @Test("has no broker on NATS, and waits for none")
    func nats() throws {
        let set = try set(["BILLFOLD_BUS": "nats://n1:4222"])
        #expect(set.processes.map(\.name) == ["wallet", "gateway", "own"])
        #expect(set.processes.allSatisfy { process in !process.dependencies.contains { $0.service == "broker" } })
        #expect(set["wallet"]?.environment["BILLFOLD_BUS"] == "nats://n1:4222")
        let other = try self.set(["BILLFOLD_BUS": "tcp://n1:7700"])
        #expect(other["broker"] != nil)
        #expect(other["wallet"]?.environment["BILLFOLD_BUS"] == nil)
    }

    @Test("may have another gateway, which leaves no address in the run directory")
    func foreignGateway() throws {
        let text = "services: {gateway: {command: [./other], healthcheck: {test: [CMD, billfold-gateway, --health]}}}"
        let set = try LocalSet(try ComposeReader.read(text, environment: [:]), at: Self.places)
        #expect(set["gateway"]?.health == .http("127.0.0.1:8080"))
    }

    @Test("is bounded")
    func bounded() {
        let long = "services: {a: {image: \(String(repeating: "x", count: ComposeReader.bytesMax))}}"
        #expect(throws: ComposeError.self) { try ComposeReader.read(long, environment: [:]) }
    }

    @Test("several gateways have ports that follow each other, and are asked at their own")
    func gateways() throws {
        let text = """
            services:
              gateway:
                command: [billfold-gateway]
                environment: { BILLFOLD_HTTP: 0.0.0.0:8080 }
                ports: ["127.0.0.1:8080:8080"]
                healthcheck: { test: [CMD, billfold-gateway, --health] }
              auth:
                command: [billfold-auth]
            """
        func set(_ environment: [String: String]) throws -> LocalSet {
            try LocalSet(
                try ComposeReader.read(text, environment: environment), at: Self.places, environment: environment)
        }
        let one = try set([:])
        #expect(one.processes.map(\.name) == ["gateway", "auth"] && one["gateway"]?.health == .gateway)
        let three = try set(["BILLFOLD_GATEWAYS": "3", "BILLFOLD_METRICS_HTTP": "127.0.0.1:9100"])
        #expect(three.processes.map(\.name) == ["gateway", "gateway-2", "gateway-3", "auth"])
        #expect(three.processes.map(\.listensOn) == ["127.0.0.1:8080", "127.0.0.1:8081", "127.0.0.1:8082", nil])
        #expect(three.processes.map(\.instanceOf) == [nil, "gateway", "gateway", nil])
        #expect(three["gateway-3"]?.health == .http("127.0.0.1:8082"))
        #expect(three["gateway-3"]?.environment["BILLFOLD_HTTP"] == "127.0.0.1:8082")
        #expect(three["gateway-2"]?.environment["BILLFOLD_METRICS_HTTP"] == "127.0.0.1:9101")
        #expect(three["auth"]?.environment["BILLFOLD_METRICS_HTTP"] == "127.0.0.1:9100")
        for wrong in ["0", "17", "many"] {
            #expect(throws: ComposeError.self) { try set(["BILLFOLD_GATEWAYS": wrong]) }
        }
        #expect(throws: ComposeError.self) { try set(["BILLFOLD_GATEWAYS": "2", "BILLFOLD_HTTP": "127.0.0.1:0"]) }
    }
}
