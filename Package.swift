// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "billfold",
    platforms: [.macOS(.v15)],
    dependencies: [
        // HTTP client of notifications: push services and web hooks, HTTP/2 for APNs.
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        // HTTP server of the gateway.
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        // SQLite with a Swift interface.
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        // Keys of push services: P-256, HKDF, AES-GCM, RS256.
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        // Sockets and TLS of the mail client.
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        // The command's options and help.
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        // Settings from the environment.
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: []),
        // The logging interface that libraries log through.
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        // The metrics interface that libraries count through.
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        // Heaps and deques.
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        // Latencies of the load test, to three digits.
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
        // The description of the set, docker-compose.yml.
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        // Ordered start and graceful stop on signals.
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0")
    ],
    targets: [
        [
            // C libraries of the system.
            .systemLibrary(name: "CZeroMQ", providers: [.apt(["libzmq3-dev"])]),
            .systemLibrary(name: "COpenSSL", providers: [.apt(["libssl-dev"])]),
            .systemLibrary(name: "CLinux"),  // epoll, and what only _GNU_SOURCE shows
            .systemLibrary(name: "CZint", providers: [.apt(["libzint-dev"])]),
            .systemLibrary(name: "CSQLite"),  // a setting that takes any number of arguments
            .systemLibrary(name: "CPostgres", providers: [.apt(["libpq-dev"])]),
            .systemLibrary(name: "CSodium", providers: [.apt(["libsodium-dev"])]),

            // Words: values only, no I/O.
            library("Wire", on: .basicContainers),  // strict JSON, read and written
            library("Primitives", on: "Wire"),  // Money, Timestamp, identifiers
            library("Sodium", on: "CSodium", "Primitives", "Wire"),  // digests, random bytes, password hashes
            library("Contracts", on: "Primitives", "Wire"),  // every ask and fact
            library("Schemas", on: "Contracts", "Primitives", "Wire"),  // JSON Schema, AsyncAPI, OpenAPI parts
            // RFC 7, 8, 18 and our dialect: frames and states.
            .target(name: "Majordomo", exclude: ["README.md"], swiftSettings: strict()),

            // Pipes.
            library("ZMTP"),  // ZeroMQ's protocol on connections of our own
            // NATS's protocol on connections of our own.
            library("NATS", on: "CLinux", "COpenSSL", "CSodium", "Wire", "ZMTP"),
            library("Bus", on: "Contracts", "Primitives", "Sodium", "Wire"),  // envelope, ask, answer, facts
            // The reactor and its sockets.
            library("BusZMQ", on: "Bus", "CZeroMQ", "Contracts", "NATS", "Primitives", "Wire", "ZMTP"),
            // Asks on event loops.
            library("BusNIO", on: "Bus", "BusZMQ", "Contracts", "Primitives", "ZMTP", .nioCore, .nioPosix),
            library(
                "Storage", on: "Bus", "CPostgres", "CSQLite", "Contracts", "Primitives", "Sodium", "Wire", .grdb,
                .grdbSQLite,
                .logging, .metrics),  // one kit for a store: SQL, group commit, outbox, cursors, copies
            library(
                "ServiceKit", on: "Bus", "BusZMQ", "CLinux", "Contracts", "HTTPClient", "NATS", "Primitives", "Sodium",
                "Wire", .configuration, .lifecycle, .logging, .metrics)  // what every process repeats
        ],

        // Processes.
        [
            .executableTarget(
                name: "billfold-broker",
                dependencies: [
                    "Bus", "BusZMQ", "CLinux", "CZeroMQ", "Contracts", "Majordomo", "Primitives", "ServiceKit", "ZMTP",
                    .configuration
                ],
                path: "Services/Broker", exclude: ["README.md"], swiftSettings: strict(),
                // libzmq has to call our accept4 and recv: see Services/Broker/README.md, "Hostile connections".
                linkerSettings: [
                    .unsafeFlags([
                        "-Xlinker", "--export-dynamic-symbol=accept4", "-Xlinker", "--export-dynamic-symbol=recv"
                    ])
                ])
        ],
        service(
            "Auth", on: "Bus", "Contracts", "Primitives", "Sodium", "Storage", "Wire",
            mainOn: ["Primitives", "Sodium"]),
        service(
            "Wallet", on: "Bus", "Contracts", "Primitives", "Sodium", "Storage", "Wire",
            mainOn: ["Sodium", "Storage", .logging]),
        service(
            "Payments", on: "Bus", "Contracts", "Primitives", "Sodium", "Storage", "Wire",
            mainOn: ["Primitives", "Sodium"]),
        service("Location", on: "Bus", "Contracts", "Primitives", "Storage", mainOn: ["Primitives"]),
        service("Offers", on: "Bus", "Contracts", "Primitives", "Sodium", "Storage", "Wire", mainOn: ["Primitives"]),
        service(
            "Notifications", on: "Bus", "Contracts", "Primitives", "Sodium", "Storage", "Wire", .asyncHTTP,
            .crypto, .cryptoExtras, .deque, .heap, .nioCore, .nioPosix, .nioSSL, mainOn: ["Primitives", "Sodium"]),
        service("Routines", on: "Bus", "Contracts", "Primitives", "Sodium", "Storage", "Wire"),
        service("Ordering", on: "Bus", "Contracts", "Primitives", "Sodium", "Storage"),
        service("Storefront", on: "Bus", "Contracts", "Primitives", "Sodium", "Storage"),
        service(
            "Gateway", on: "BarCode", "Bus", "CLinux", "Contracts", "Primitives", "Schemas", "Sodium", "TouchApp",
            "Wire", .hummingbird, .lifecycle, .logging, .nioCore, .nioHTTP1, .nioPosix, resources: [.copy("Pages")],
            mainOn: ["BusNIO", "Primitives", "TouchApp", .lifecycle, .logging, .nioPosix]),

        // The app that devices touch.
        [
            library("TouchApp", on: "Primitives", "Wire"),  // controller, screens, widgets, PIN machine: pure
            library("BarCode", on: "CZint"),  // QR codes
            tool("TouchTerminal", on: "BarCode", "Primitives", "TouchApp")  // a phone of characters: pure
        ],

        // People's tools.
        [
            library("HTTPClient", on: "Wire"),  // one blocking connection
            tool("TerminalText"),  // tables, figures and colours for terminals
            tool("Checks", on: "Primitives"),  // statements about money, and what speaks against them
            tool("LoadReport", on: "Checks", "Primitives", "TerminalText"),  // a load test's figures
            tool("LoadPage", on: "Checks", "Contracts", "LoadReport", "TerminalText"),  // the same, drawn
            // Compares what all services keep.
            tool("Audit", on: "Bus", "Checks", "Contracts", "Primitives", "ServiceKit", "Sodium"),
            .target(
                name: "ContractGenerator", path: "Sources/Tools/ContractGenerator", exclude: ["Main"],
                swiftSettings: strict()),  // what follows from the declarations in Sources/Contracts
            .executableTarget(
                name: "billfold-contracts", dependencies: ["ContractGenerator"],
                path: "Sources/Tools/ContractGenerator/Main", swiftSettings: strict()),
            tool("Scaffold", on: "ContractGenerator"),  // a new service: what it writes, and where
            tool("Watch", on: "Bus", "Contracts", "Primitives", "TerminalText", "Wire"),  // what passes and what runs
            // The load test: generator, faults, evidence, verdict.
            tool(
                "Load", on: "Audit", "Bus", "BusZMQ", "CLinux", "CZeroMQ", "Checks", "Contracts", "HTTPClient",
                "LoadReport", "Primitives", "Sodium", "Wire", "ZMTP", .deque, .histogram),
            tool("World", on: "Bus", "HTTPClient", "Primitives", "Wire"),  // a small town, and who plays it over HTTP
            tool(
                "Supervision", on: "Bus", "BusZMQ", "CLinux", "Contracts", "HTTPClient", "NATS", "Primitives",
                "ServiceKit", "Wire", .yaml),  // a set as local processes
            // Whether a service keeps its contract.
            tool("Conformance", on: "Bus", "BusZMQ", "CLinux", "Contracts", "Primitives", "Sodium", "Wire"),
            tool(
                "Shadow", on: "Bus", "BusZMQ", "Conformance", "Contracts", "Primitives", "Schemas", "Sodium", "Wire",
                .deque, .histogram),  // live asks, given to a candidate too
            .executableTarget(
                name: "billfold",
                dependencies: [
                    "Audit", "Bus", "BusZMQ", "CLinux", "Checks", "Conformance", "Contracts", "HTTPClient", "Load",
                    "LoadPage", "LoadReport", "Primitives",
                    "Scaffold", "Schemas", "ServiceKit", "Shadow", "Sodium", "Storage", "Supervision", "TouchApp",
                    "TouchTerminal",
                    "Watch", "Wire", "World",
                    .arguments
                ],
                path: "Sources/Tools/Command", swiftSettings: strict()),
            .executableTarget(
                name: "billfold-bench",
                dependencies: [
                    "Bus", "BusZMQ", "Contracts", "OffersService", "WalletService", "LocationService", "NATS",
                    "Primitives", "Sodium", .arguments
                ],
                path: "Sources/Tools/Bench", swiftSettings: strict())
        ],

        // Tests: of words and pipes by target, of processes by what they decide. The real processes are tested by
        // Tests/interop and Tests/process (Python).
        [
            // Parts that tests of several targets share.
            .target(
                name: "TestKit", dependencies: ["Bus", "Contracts", "Primitives"], path: "Tests/TestKit",
                swiftSettings: strict()),
            tests("Wire", on: "Primitives", "Wire"),
            tests("Primitives", on: "Primitives", "Wire"),
            tests("Contract", on: "Bus", "ContractGenerator", "Contracts", "Primitives", "Schemas", "Wire"),
            tests(
                "Bus", on: "Bus", "BusZMQ", "CLinux", "Contracts", "NATS", "Primitives", "Sodium", "TestKit", "Wire",
                "ZMTP"),
            tests("Audit", on: "Audit", "Contracts", "Primitives", "Sodium", "TestKit"),
            tests("Shadow", on: "Bus", "BusZMQ", "Contracts", "Primitives", "Shadow", "Wire"),
            tests("Conformance", on: "Bus", "Conformance", "Contracts", "Primitives", "Wire"),
            tests(
                "Load", on: "Audit", "Bus", "Checks", "Contracts", "Load", "LoadReport", "LocationService",
                "Primitives", "Sodium", .histogram),
            tests(
                "LoadReport", on: "Checks", "Contracts", "LoadPage", "LoadReport", "Primitives", "Sodium",
                "TerminalText"),
            tests("Watch", on: "Bus", "Contracts", "Primitives", "Watch", "Wire"),
            tests("Majordomo", on: "Contracts", "Majordomo"),
            tests("ZMTP", on: "ZMTP"),
            tests("NATS", on: "NATS", "Wire"),
            tests("World", on: "Primitives", "World"),
            tests("Supervision", on: "Bus", "ServiceKit", "Supervision", "TestKit"),
            tests("Scaffold", on: "Scaffold"),
            tests("TouchApp", on: "BarCode", "Primitives", "TouchApp", "TouchTerminal", "Wire"),
            tests("Storage", on: "Bus", "Contracts", "Primitives", "Storage", "TestKit", .grdb),
            tests("Auth", on: "AuthService", "Bus", "Contracts", "Primitives", "Sodium", "TestKit", "Wire", .grdb),
            tests("Wallet", on: "WalletService", "Bus", "Contracts", "Primitives", "Storage", "TestKit", "Wire", .grdb),
            tests("Payments", on: "PaymentsService", "Bus", "Contracts", "Primitives", "TestKit", "Wire", .grdb),
            tests("Location", on: "LocationService", "Bus", "Contracts", "Primitives", "TestKit"),
            tests("Offers", on: "OffersService", "Bus", "Contracts", "Primitives", "TestKit", .grdb),
            tests(
                "Notifications", on: "NotificationsService", "Bus", "Contracts", "Primitives", "TestKit", "Wire",
                .crypto, .cryptoExtras, .grdb),
            tests("Routines", on: "RoutinesService", "Bus", "Contracts", "Primitives", "TestKit", "Wire"),
            tests("Ordering", on: "OrderingService", "Bus", "Contracts", "Primitives"),
            tests("Storefront", on: "StorefrontService", "Bus", "Contracts", "Primitives"),
            tests(
                "Gateway", on: "GatewayService", "Bus", "BusNIO", "BusZMQ", "Contracts", "HTTPClient", "Primitives",
                "TestKit", "TouchApp", "Wire", "ZMTP", .hummingbird, .lifecycle, .logging, .nioCore, .nioHTTP1,
                .nioPosix)
        ]
    ].flatMap { $0 }.filter(isWanted),
    swiftLanguageModes: [.v6]
)

extension Target.Dependency {
    static var arguments: Self { .product(name: "ArgumentParser", package: "swift-argument-parser") }
    static var asyncHTTP: Self { .product(name: "AsyncHTTPClient", package: "async-http-client") }
    static var configuration: Self { .product(name: "Configuration", package: "swift-configuration") }
    static var crypto: Self { .product(name: "Crypto", package: "swift-crypto") }
    static var cryptoExtras: Self { .product(name: "CryptoExtras", package: "swift-crypto") }
    static var basicContainers: Self { .product(name: "BasicContainers", package: "swift-collections") }
    static var deque: Self { .product(name: "DequeModule", package: "swift-collections") }
    static var heap: Self { .product(name: "HeapModule", package: "swift-collections") }
    static var grdb: Self { .product(name: "GRDB", package: "GRDB.swift") }
    static var grdbSQLite: Self { .product(name: "GRDBSQLite", package: "GRDB.swift") }
    static var histogram: Self { .product(name: "Histogram", package: "hdrhistogram-swift") }
    static var hummingbird: Self { .product(name: "Hummingbird", package: "hummingbird") }
    static var lifecycle: Self { .product(name: "ServiceLifecycle", package: "swift-service-lifecycle") }
    static var logging: Self { .product(name: "Logging", package: "swift-log") }
    static var nioCore: Self { .product(name: "NIOCore", package: "swift-nio") }
    static var nioHTTP1: Self { .product(name: "NIOHTTP1", package: "swift-nio") }
    static var nioPosix: Self { .product(name: "NIOPosix", package: "swift-nio") }
    static var nioSSL: Self { .product(name: "NIOSSL", package: "swift-nio-ssl") }
    static var metrics: Self { .product(name: "Metrics", package: "swift-metrics") }
    static var yaml: Self { .product(name: "Yams", package: "Yams") }
}

func library(_ name: String, on needs: Target.Dependency...) -> Target {
    .target(name: name, dependencies: needs, swiftSettings: strict())
}

/// A part of the commands that people use on a running set; no service depends on one.
func tool(_ name: String, on needs: Target.Dependency...) -> Target {
    .target(name: name, dependencies: needs, path: "Sources/Tools/\(name)", swiftSettings: strict())
}

/// `Services/<Name>` is the library `<Name>Service` with all that the process decides. `Services/<Name>/Main` is the
/// executable `billfold-<name>`, which reads the settings, opens the store and runs the service.
func service(
    _ name: String, on needs: Target.Dependency..., resources: [Resource] = [],
    mainOn more: [Target.Dependency] = []
) -> [Target] {
    [
        .target(
            name: "\(name)Service", dependencies: needs, path: "Services/\(name)", exclude: ["README.md", "Main"],
            resources: resources, swiftSettings: strict()),
        .executableTarget(
            name: "billfold-\(name.lowercased())",
            dependencies: [.byName(name: "\(name)Service"), "Bus", "Contracts", "ServiceKit"] + more,
            path: "Services/\(name)/Main", swiftSettings: strict())
    ]
}

func tests(_ name: String, on needs: Target.Dependency...) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: needs,
        exclude: ["Contract": ["Golden"], "TouchApp": ["Scripts"]][name] ?? [],
        // In a release build too: what is tested is optimized, and optimizing the tests takes a third of their build.
        swiftSettings: strict() + [.unsafeFlags(["-Onone"])])
}

/// `BILLFOLD_TESTS=Contract,Auth`: of the tests only these, so that the others need not be built for them.
func isWanted(_ target: Target) -> Bool {
    guard target.type == .test, let names = Context.environment["BILLFOLD_TESTS"] else { return true }
    return names.split(separator: ",").contains { target.name == "\($0)Tests" }
}

func strict() -> [SwiftSetting] { [.treatAllWarnings(as: .error), .enableUpcomingFeature("ExistentialAny")] }
