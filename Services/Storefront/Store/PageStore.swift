import Bus
import Contracts
import Primitives
import Storage

/// Storefront's database. Each function is one transaction, durable when it returns.
package struct PageStore: Sendable {
    package struct Stored: Sendable {
        package let page: Storefront.Page
        package let revision: Int64
    }

    package let store: Store

    /// - Throws: as `Store.init`.
    package init(_ place: StorePlace) throws { store = try Store(place, migrations: PageMigrations.all) }

    /// A store that ends with the process: for tests.
    package init() throws { store = try Store(forTests: PageMigrations.all) }

    /// Writes a page. Fact: `PageChanged`, unless it is as it was.
    package func set(
        _ page: Storefront.Page, of merchant: PartyID, at now: Timestamp, because context: AskContext
    ) async throws(Fault) -> Stored {
        try await store.write { transaction in
            let known = try Self.page(of: merchant, in: transaction)
            if let known, known.page == page { return known }
            let stored = Stored(page: page, revision: (known?.revision ?? 0) + 1)
            try transaction.run(
                """
                INSERT INTO pages (merchant, name, page, revision) VALUES (?, ?, ?, ?)
                ON CONFLICT (merchant) DO UPDATE SET name = excluded.name, page = excluded.page,
                    revision = excluded.revision
                """, merchant, page.name, page.json, stored.revision)
            try transaction.publish(
                Storefront.PageChanged(merchant: merchant, name: page.name, revision: stored.revision, time: now),
                at: now, because: context)
            return stored
        }
    }

    package func page(of merchant: PartyID) async throws(Fault) -> Stored? {
        try await store.read { try Self.page(of: merchant, in: $0) }
    }

    /// Merchants with pages, by name.
    package func pages(skip: Int, limit: Int) async throws(Fault) -> [Storefront.PageTitle] {
        try await store.read { transaction in
            try transaction.all(
                "SELECT merchant, name FROM pages ORDER BY name, merchant LIMIT ? OFFSET ?", limit, skip
            ) { row in Storefront.PageTitle(merchant: try row[0], name: try row[1]) }
        }
    }

    /// Keeps an image as a merchant's logo, or no image.
    package func set(_ logo: Logo?, of merchant: PartyID) async throws(Fault) {
        try await store.write { transaction in
            try transaction.run("DELETE FROM logos WHERE merchant = ?", merchant)
            guard let logo else { return }
            try transaction.run(
                "INSERT INTO logos (merchant, kind, width, height, bytes) VALUES (?, ?, ?, ?, ?)", merchant,
                logo.kind.rawValue, logo.width, logo.height, logo.bytes)
        }
    }

    package func logo(of merchant: PartyID) async throws(Fault) -> Logo? {
        try await store.read { transaction in
            try transaction.first("SELECT kind, width, height, bytes FROM logos WHERE merchant = ?", merchant) { row in
                Logo(kind: try row.choice(0), width: try row[1], height: try row[2], bytes: try row[3])
            }
        }
    }

    private static func page(of merchant: PartyID, in transaction: Transaction) throws -> Stored? {
        try transaction.first("SELECT page, revision FROM pages WHERE merchant = ?", merchant) { row in
            Stored(page: try Storefront.Page(json: row[0] as [UInt8]), revision: try row[1])
        }
    }
}
