import Bus
import Contracts
import Primitives
import Storage

extension RoutineStore {
    /// Adds an image, unless its id has one already.
    ///
    /// - Throws: `routines.id_reused`, also for an image that was removed; `routines.too_many_images`.
    package func add(
        _ file: ImageFile, as ask: Routines.AddImage, fingerprint: [UInt8]
    ) async throws(Fault) -> Routines.AddImage.Reply {
        try await store.write { transaction in
            if let known = try Self.known("images", ask.image, ask.account, fingerprint, in: transaction) {
                let view = try transaction.first(
                    "SELECT id, kind, width, height FROM images WHERE number = ? AND gone IS NULL", known,
                    as: Self.imageView)
                guard let view else { throw Fault(.routinesIDReused) }
                return .init(image: view, replayed: true)
            }
            let count: Int? = try transaction.value(
                "SELECT count(*) FROM images WHERE account = ? AND gone IS NULL", ask.account)
            guard count ?? 0 < Routines.imagesMax else { throw Fault(.tooManyRoutineImages) }
            try transaction.run(
                "INSERT INTO images (id, account, kind, width, height, bytes, fingerprint) VALUES (?, ?, ?, ?, ?, ?, ?)",
                ask.image, ask.account, file.kind.rawValue, file.width, file.height, file.bytes, fingerprint)
            return .init(
                image: .init(
                    image: ask.image, kind: file.kind, width: Int64(file.width), height: Int64(file.height)),
                replayed: false)
        }
    }

    package func images(of account: PartyID) async throws(Fault) -> [Routines.ImageView] {
        try await store.read {
            try $0.all(
                "SELECT id, kind, width, height FROM images WHERE account = ? AND gone IS NULL ORDER BY number",
                account, as: Self.imageView)
        }
    }

    package func image(
        _ ask: Routines.ReadImage
    ) async throws(Fault) -> (kind: ImageKind, bytes: [UInt8])? {
        try await store.read {
            try $0.first(
                "SELECT kind, bytes FROM images WHERE id = ? AND account = ? AND gone IS NULL", ask.image, ask.account
            ) { row in (try row.choice(0), try row[1]) }
        }
    }

    package func remove(_ ask: Routines.RemoveImage, at now: Timestamp) async throws(Fault) -> Bool {
        try await store.write {
            try $0.run(
                "UPDATE images SET gone = ?, bytes = x'' WHERE id = ? AND account = ? AND gone IS NULL", now, ask.image,
                ask.account) > 0
        }
    }

    private static func imageView(_ row: Row) throws -> Routines.ImageView {
        Routines.ImageView(image: try row[0], kind: try row.choice(1), width: try row[2], height: try row[3])
    }
}
