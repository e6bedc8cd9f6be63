extension ServiceName {
    /// All that a new service changes in files that are there: one line each, or two.
    package var insertions: [Insertion] {
        [
            Insertion(
                "Package.swift", .before, "        service(\n            \"Gateway\", on: ",
                add: filled(
                    into: """
                                service("__Name__", on: "Bus", "Contracts", "Primitives", "Storage"),

                        """)),
            Insertion(
                "Package.swift", .before, "            tests(\n                \"Gateway\", on: ",
                add: filled(
                    into: """
                                    tests("__Name__", on: "__Name__Service", "Bus", "Contracts", "Primitives", "Wire"),

                        """)),

            Insertion(
                "Sources/Contracts/Services.swift", .before, "        Notifications.self\n    ]",
                add: filled(into: "        __Name__.self,\n")),
            Insertion(
                "Services/Gateway/Routes/RouteTable.swift", .before, "        + devices + ops + service\n",
                add: filled(into: "        + __name__\n")),

            Insertion(
                "Sources/ServiceKit/SettingNames.swift", .after, "    package static let settings = [\n",
                add: filled(into: "        \"BILLFOLD___NAME___TEXT_BYTES\",\n")),

            Insertion(
                "docker-compose.yml", .before, "  # Speaks to mail servers",
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


                        """)),
            Insertion("docker-compose.yml", .after, "\nvolumes:\n  run:\n", add: "  \(text):\n"),
            Insertion(
                "docs/settings.md", .before, "## The command\n",
                add: filled(
                    into: """
                        ## __Name__

                        | setting | default | read by | values | effect |
                        |---|---|---|---|---|
                        | `BILLFOLD___NAME___TEXT_BYTES` | `200` | __name__ | bytes, 1 to 200 | How long a note may be. |


                        """), isOptional: true),
            Insertion(
                "docs/http.md", .before, "### The set\n",
                add: filled(
                    into: """
                        ### __Name__

                        | route | caller | key | |
                        |---|---|---|---|
                        | `POST /v1/__name__/notes` | customer or merchant | required | Keeps a note of the account. |


                        """), isOptional: true),
            Insertion(
                "deploy/systemd/billfold.sysusers", .before, "u billfold-gateway ",
                add: filled(into: "u billfold-__name__ -:billfold \"Billfold __name__\"\n"), isOptional: true),
            Insertion(
                "deploy/systemd/billfold.target", .before, "\n[Install]\n", add: "Wants=billfold-\(text).service\n",
                isOptional: true)
        ]
    }
}
