/// The names of all settings, so that a misspelt one is noticed instead of being ignored.
package enum SettingNames {
    /// What the processes of a set and `billfold` read. A test compares it with their sources.
    package static let settings = [
        "BILLFOLD_APNS_KEY_FILE", "BILLFOLD_APNS_KEY_ID", "BILLFOLD_APNS_TEAM_ID", "BILLFOLD_APNS_TOPIC",
        "BILLFOLD_APNS_URL", "BILLFOLD_APPROVAL_SECONDS", "BILLFOLD_ASKS_TCP", "BILLFOLD_AUTH_KEY_FILE",
        "BILLFOLD_BROKER_MEMORY", "BILLFOLD_BUS", "BILLFOLD_CARD_KEY_FILE", "BILLFOLD_CHARGES_UNPAID",
        "BILLFOLD_CHARGES_WAITING", "BILLFOLD_CHARGE_MAX", "BILLFOLD_CHARGE_PRESENCE", "BILLFOLD_CLOCK_GAP_DAYS",
        "BILLFOLD_CODE_KEY_FILE", "BILLFOLD_CODE_SECONDS", "BILLFOLD_DATA", "BILLFOLD_DEADLINE_MS",
        "BILLFOLD_DEVICES", "BILLFOLD_DEVICES_PER_ACCOUNT", "BILLFOLD_DEVICE_IDLE_SECONDS", "BILLFOLD_DWELL_SECONDS",
        "BILLFOLD_ENTRY_SECONDS", "BILLFOLD_EVENT_STREAMS", "BILLFOLD_EVENT_STREAMS_PER_ACCOUNT",
        "BILLFOLD_FCM_ACCOUNT_FILE", "BILLFOLD_FCM_URL", "BILLFOLD_FORWARDED_FIELD", "BILLFOLD_FRESH_SECONDS",
        "BILLFOLD_GATEWAYS",
        "BILLFOLD_HASH_THREADS", "BILLFOLD_HTTP", "BILLFOLD_HTTP_CONNECTIONS",
        "BILLFOLD_HTTP_CONNECTIONS_PER_ADDRESS", "BILLFOLD_HTTP_HEAD_SECONDS", "BILLFOLD_HTTP_HELD_MIB",
        "BILLFOLD_HTTP_IDLE_SECONDS", "BILLFOLD_HTTP_LOOPS", "BILLFOLD_HTTP_REQUEST_SECONDS", "BILLFOLD_KEYS",
        "BILLFOLD_LEDGER_ANCHOR", "BILLFOLD_LISTEN", "BILLFOLD_LOG", "BILLFOLD_LOG_FORMAT", "BILLFOLD_MAP_CREDIT",
        "BILLFOLD_MAP_TILES",
        "BILLFOLD_MERCHANT_APPROVAL", "BILLFOLD_METRICS_HTTP", "BILLFOLD_METRICS_TOKEN",
        "BILLFOLD_METRICS_TOKEN_FILE", "BILLFOLD_NATS_CA_FILE", "BILLFOLD_NATS_CERT_FILE", "BILLFOLD_NATS_CREDENTIALS",
        "BILLFOLD_NATS_KEY_FILE", "BILLFOLD_OPENING_BALANCE", "BILLFOLD_PASSWORD", "BILLFOLD_PIN_MINUTES",
        "BILLFOLD_POSITION_SECONDS", "BILLFOLD_PUSH_ATTEMPTS", "BILLFOLD_PUSH_CA_FILE", "BILLFOLD_PUSH_PRIVATE",
        "BILLFOLD_PUSH_RETRY_MS", "BILLFOLD_QUEUE_MS", "BILLFOLD_RELOAD_AMOUNT", "BILLFOLD_REQUESTS_PER_ACCOUNT",
        "BILLFOLD_RESERVATION_GRACE_SECONDS", "BILLFOLD_RUN", "BILLFOLD_SCHED", "BILLFOLD_SESSION_MINUTES",
        "BILLFOLD_SMTP", "BILLFOLD_SMTP_FROM", "BILLFOLD_SMTP_PASSWORD_FILE", "BILLFOLD_SMTP_TLS",
        "BILLFOLD_SMTP_USER", "BILLFOLD_STORE", "BILLFOLD_TAKE_OVER", "BILLFOLD_TOUCH_AMOUNT",
        "BILLFOLD_TOUCH_MERCHANT",
        "BILLFOLD_TRANSFER_HOLD_MINUTES",
        "BILLFOLD_TRIES_PER_ADDRESS", "BILLFOLD_TRUSTED_PROXIES", "BILLFOLD_VAPID_KEY_FILE", "BILLFOLD_VAPID_SUBJECT",
        "BILLFOLD_WALLET_CREDIT"
    ]

    /// What builds, tests and compose files read. A process that has one of them ignores it, which is no mistake.
    private static let others: Set = [
        "BILLFOLD_ASYNCAPI_SCHEMA", "BILLFOLD_BACKUP", "BILLFOLD_BIN", "BILLFOLD_CLUSTER_IMAGE", "BILLFOLD_FRONT",
        "BILLFOLD_IMAGE", "BILLFOLD_KEEP", "BILLFOLD_LOCATION", "BILLFOLD_PUBLISH", "BILLFOLD_PUBLISH_BUS",
        "BILLFOLD_SCREENSHOTS", "BILLFOLD_SECRETS", "BILLFOLD_SEED", "BILLFOLD_SETTINGS", "BILLFOLD_SHADOW_ASKS",
        "BILLFOLD_TESTS", "BILLFOLD_TEST_STORE", "BILLFOLD_WEB_NAME", "BILLFOLD_WORLD", "BILLFOLD_WRITE_GOLDEN",
        "BILLFOLD_WRITE_SCRIPTS"
    ]

    /// A name that nothing reads.
    package struct Unknown: Sendable, Equatable, CustomStringConvertible {
        package let name: String
        /// What was probably meant.
        package let nearest: String?

        package var description: String {
            "\(name) is not a setting" + (nearest.map { "; did you mean \($0)?" } ?? "")
        }
    }

    /// The names beginning with `BILLFOLD_` that are no settings, in order.
    ///
    /// - Parameter known: names that somebody else reads, such as a service of another's.
    package static func unknown(among names: some Sequence<String>, besides known: Set<String> = []) -> [Unknown] {
        let all = known.union(settings)
        return names.filter { $0.hasPrefix("BILLFOLD_") && !all.contains($0) && !others.contains($0) }.sorted()
            .map { Unknown(name: $0, nearest: NearestName.nearest(to: $0, among: all)) }
    }
}
