import Contracts

/// What each metric means, for whoever meets it in Prometheus. docs/operations.md says which question it answers.
enum MetricHelp {
    static let texts: [String: String] = [
        // Every process.
        "billfold_up": "Whether the service answered when it was asked for its figures.",
        "billfold_uptime_seconds": "How long the process has been running.",
        "billfold_resident_bytes": "Memory that the process occupies.",
        "billfold_process_cpu_seconds_total": "Processor time that the process has used.",
        "billfold_process_open_fds": "Files and connections that the process has open.",
        "billfold_process_max_fds": "Files and connections that the process may have open.",
        "billfold_reactor_delay_seconds": "How late the thread that answers got to what was due, once a second.",
        "billfold_asks_seconds": "Time from taking an ask to its answer, by type.",
        "billfold_ask_faults_total": "Asks that were refused, by type and code.",

        // Stores.
        "billfold_store_commit_seconds": "Time of one durable commit, from its first change to the end of the sync.",
        "billfold_store_group_size": "Changes that went into one commit together.",
        "billfold_store_failures_total": "Commits that failed as a whole.",
        "billfold_store_refusing": "Whether the disk takes no data: what would be written is refused.",
        "billfold_store_file_bytes": "Size of the service's database.",
        "billfold_store_log_bytes": "Size of the database's write-ahead log.",
        "billfold_store_free_bytes": "Room left on the disk of the database.",

        // Facts.
        "billfold_facts_head": "Newest fact that the service has published.",
        "billfold_facts_total": "Facts that the process has published, by type.",
        "billfold_facts_position": "Last fact of the source that the service has dealt with.",
        "billfold_facts_behind": "Facts of the source that the service knows of and has not dealt with.",
        "billfold_facts_diverged": "Whether the source has forgotten facts that the service knows: an old copy.",
        "billfold_facts_stopped": "Whether the service is behind the source and has read nothing for 10 s.",
        "billfold_facts_unread_total": "Facts that could not be read and were passed over.",

        // The ledger.
        "billfold_ledger_entries": "Entries in the ledger, as of the last minute.",
        "billfold_ledger_accounts": "Accounts in the ledger, by kind.",
        "billfold_ledger_balance_minor": "Sum of the balances by kind of account, in minor units.",
        "billfold_ledger_held_minor": "Sum of what is held by kind of account, in minor units.",
        "billfold_ledger_total_minor": "Sum over all accounts by currency: always zero.",
        "billfold_ledger_check_timestamp_seconds": "When the newest check of the whole ledger ended.",
        "billfold_ledger_check_entries": "Entries that the newest check of the ledger has read.",
        "billfold_ledger_check_problems": "Things that the newest check of the ledger has found wrong.",
        "billfold_service_doubled": "Whether another process answers for the service, too, on NATS.",
        "billfold_clock_refusing": "Whether the wallet writes nothing because its clock is ahead.",
        "billfold_anchors_missing":
            "Heads of the ledger, written down elsewhere, that it does not have: nothing is written.",

        // The broker.
        "billfold_queue_asks": "Asks that wait for a worker of the service.",
        "billfold_queue_bytes": "Bytes of the asks that wait.",
        "billfold_queue_oldest_seconds": "How long the ask that has waited longest has waited.",
        "billfold_queue_in_flight": "Asks that workers have and have not answered.",
        "billfold_queue_credit": "Asks that the service's workers take at once.",
        "billfold_queue_workers": "Workers of the service.",
        "billfold_queue_paused": "Whether the service's asks are held back by an operator.",
        "billfold_queue_asks_total": "Asks that came for the service.",
        "billfold_queue_answers_total": "Answers that went back from the service.",
        "billfold_broker_drops_total": "Messages that the broker has dropped, by reason.",
        "billfold_broker_held_bytes": "Bytes of all asks that the broker holds.",
        "billfold_broker_connection_bytes":
            "Memory of the broker's connections: what peers have not read or not sent to the end.",
        "billfold_broker_facts_bytes": "Bytes of facts that subscribers have not read.",
        "billfold_broker_facts_dropped_total":
            "Facts that no subscriber got, for want of memory; they are in their source's log.",
        "billfold_broker_memory_limit_bytes": "What asks, connections and facts may take of the broker's memory.",

        // The gateway.
        "billfold_http_requests_total": "Requests answered, by route and class of status.",
        "billfold_http_connections": "Connections open now.",
        "billfold_http_connections_displaced_total": "Connections closed because others needed their places.",
        "billfold_http_connections_refused_total": "Connections refused because all others were being answered.",
        "billfold_http_request_seconds": "Time from a request's head to its answer, by route.",
        "billfold_devices": "Touch devices open now.",
        "billfold_devices_opened_total": "Touch devices opened.",
        "billfold_devices_expired_total": "Touch devices closed because nobody used them.",
        "billfold_event_streams": "Streams of server-sent events open now, by what they tell.",
        "billfold_event_streams_opened_total": "Streams of server-sent events opened, by what they tell.",
        "billfold_touches_total": "Touches answered, by effect.",

        // Location, offers, notifications.
        "billfold_sharing": "Customers who share their position.",
        "billfold_positions": "Positions known now.",
        "billfold_visits": "Customers within a place's fence now.",
        "billfold_places": "Places, each with a fence.",
        "billfold_offers": "Offers that have not ended.",
        "billfold_offers_live": "Offers that can be sent now.",
        "billfold_customers": "Customers that offers knows.",
        "billfold_merchants": "Merchants that offers knows.",
        "billfold_deliveries_waiting": "Deliveries whose time has not come, or that wait for their lane.",
        "billfold_deliveries_in_flight": "Deliveries under way.",
        "billfold_deliveries_delivered_total": "Deliveries that arrived.",
        "billfold_deliveries_failed_total": "Attempts at delivery that failed and are repeated.",
        "billfold_deliveries_dead_total": "Deliveries given up."
    ]
}
