extension ServiceName {
    /// All that a new service changes in files that are there: one line each, or two.
    package var insertions: [Insertion] {
        [
            Insertion(
                "Package.swift", .before, "        service(\n            \"Gateway\", on: ",
                add: filled(
                    into: """
                                service(
                                    "__Name__", on: "Bus", "Contracts", "Primitives", "Sodium", "Storage", "Wire", .grdb),

                        """)),
            Insertion(
                "Package.swift", .before, "            tests(\n                \"Gateway\", on: ",
                add: filled(
                    into: """
                                    tests("__Name__", on: "__Name__Service", "Bus", "Contracts", "Primitives", "Wire"),

                        """)),

            Insertion(
                "Sources/ServiceKit/SettingNames.swift", .after, "    package static let settings = [\n",
                add: filled(into: "        \"BILLFOLD___NAME___TEXT_BYTES\",\n")),

            Insertion(
                "Tests/process/billfold.py", .after, "NAMES = (\"broker\", ", add: filled(into: "\"__name__\", ")),

            Insertion("deploy/common.sh", .after, "SERVICES=(broker ", add: text + " ", isOptional: true),
            Insertion(
                "docker-compose.yml", .before, "  gateway:\n    <<: *process\n",
                add: filled(
                    into: """
                          __name__:
                            <<: *process
                            command: [billfold-__name__]
                            network_mode: none
                            depends_on: *after-broker
                            environment:
                              <<: *environment
                              BILLFOLD___NAME___TEXT_BYTES:
                            volumes: ["run:/run/billfold", "__name__:/data"]
                            healthcheck: { <<: *health, test: [CMD, billfold-__name__, --health] }
                            mem_limit: 256m


                        """), isOptional: true),
            Insertion(
                "docker-compose.yml", .after, "\nvolumes:\n  run:\n", add: "  \(text):\n", isOptional: true),
            Insertion(
                "deploy/systemd/billfold.sysusers", .before, "u billfold-gateway ",
                add: filled(into: "u billfold-__name__ -:billfold \"Billfold __name__\"\n"), isOptional: true),
            Insertion(
                "deploy/systemd/billfold.target", .before, "\n[Install]\n", add: "Wants=billfold-\(text).service\n",
                isOptional: true)
        ]
    }
}
