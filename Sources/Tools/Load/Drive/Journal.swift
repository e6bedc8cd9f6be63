import Glibc
import Primitives

/// What became of one intent.
package enum IntentOutcome: UInt8, Sendable {
    /// Asked, and not known.
    case unknown
    case acknowledged
    /// Refused for good.
    case refused
}

/// One operation that the generator wants done: what was asked, and what was said. A record of fixed size.
package struct Intent: Sendable, Equatable {
    /// The charge of a payment, and the operation of any other movement; all zero while it is not known.
    package var charge = ChargeID(high: 0, low: 0)
    /// From the receipt; 0: none.
    package var entry: Int64 = 0
    /// The card's balance on the receipt. Of a refund: what had been paid back of its payment in all.
    package var cardBalance: Int64 = 0
    package var card: UInt32 = 0
    package var merchant: UInt32 = 0
    /// Minor units: what is asked for, and once it is acknowledged what was paid.
    package var amount: UInt32 = 0
    /// Minor units: how much more was asked for.
    package var discount: UInt32 = 0
    /// What it was paid with; while it is not acknowledged, what it was to be paid with.
    package var coupon = CouponBook.Coupon.none
    /// When it was due: monotonic nanoseconds.
    package var due: UInt64 = 0
    /// Place in the run's list of scenarios.
    package var scenario: UInt8 = 0
    package var outcome = IntentOutcome.unknown
    /// Place in the run's list of codes; why it was refused.
    package var code: UInt16 = 0
    /// Milliseconds from when it was due until it was refused.
    package var refusedAfter: UInt32 = 0
    /// Of a refused one: its card had enough, whatever of what was asked of it until then was done.
    package var wasCovered = false
    package var repeats: UInt16 = 0
    /// The receipt does not say what was asked for.
    package var receiptDiffers = false
    /// What the ledger has to show for it; nil where no money was to move.
    package var kind: MovementKind? = .payment
    /// Done by the generator for itself, as the reload of a card that runs low. Not measured.
    package var isAside = false
    /// Whether a refund named no amount.
    package var isWhole = false
    /// A transfer's receiving card; a refund's payment, as its place among the run's paid charges.
    package var counterpart: UInt32 = 0

    package init() {}

    /// What an operation asks for as it begins.
    init(_ operation: LoadOperation, isAside: Bool) {
        charge = operation.charge
        card = UInt32(operation.card)
        merchant = UInt32(operation.merchant)
        amount = UInt32(operation.amount)
        coupon = operation.coupon
        due = operation.planned
        scenario = UInt8(operation.scenario)
        kind = operation.moves
        isWhole = operation.isWhole
        self.isAside = isAside
        counterpart = operation.counterpart
    }
}

extension LoadOperation {
    /// As the journal has it.
    var counterpart: UInt32 {
        switch moves {
        case .transfer: UInt32(payee)
        case .refund: UInt32(paid)
        case .payment, .reload, .other, nil: 0
        }
    }
}

/// Every intent of a run, in order. Tens of millions fit: what is beyond the first few hundred megabytes is backed by
/// an unnamed file, which the kernel writes out when memory gets short.
///
/// Written by the generator's thread; read by others when that has ended.
package final class Journal: @unchecked Sendable {
    private static let chunkLength = 1 << 18
    /// Chunks in plain memory: 256 MiB or so.
    private static let chunksInMemory = 16

    private var chunks: [UnsafeMutablePointer<Intent>] = []
    private let spillDirectory: String
    package private(set) var count = 0

    package init(spillingTo directory: String = "/var/tmp") { spillDirectory = directory }

    deinit { for chunk in chunks { munmap(chunk, Self.chunkLength * MemoryLayout<Intent>.stride) } }

    package subscript(index: Int) -> Intent {
        get { chunks[index >> 18][index & (Self.chunkLength - 1)] }
        set { chunks[index >> 18][index & (Self.chunkLength - 1)] = newValue }
    }

    @discardableResult
    package func append(_ intent: Intent) -> Int {
        if count == chunks.count * Self.chunkLength { chunks.append(newChunk()) }
        defer { count += 1 }
        (chunks[count >> 18] + (count & (Self.chunkLength - 1))).initialize(to: intent)
        return count
    }

    private func newChunk() -> UnsafeMutablePointer<Intent> {
        let bytes = Self.chunkLength * MemoryLayout<Intent>.stride
        var memory: UnsafeMutableRawPointer?
        if chunks.count < Self.chunksInMemory {
            memory = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | Int32(MAP_ANONYMOUS), -1, 0)
        } else {
            var path = Array("\(spillDirectory)/billfold-load-XXXXXX".utf8CString)
            let file = mkstemp(&path)
            precondition(file >= 0, "cannot make a file in \(spillDirectory) for the journal")
            unlink(path)
            precondition(ftruncate(file, off_t(bytes)) == 0, "no room in \(spillDirectory) for the journal")
            memory = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
            close(file)
        }
        guard let memory, memory != MAP_FAILED else { preconditionFailure("no memory for the journal") }
        return memory.bindMemory(to: Intent.self, capacity: Self.chunkLength)
    }
}

/// Finds intents by charge: a table of places in the journal, four bytes each.
package struct IntentIndex {
    private var table: [UInt32]
    private let mask: Int
    private let journal: Journal

    package init(_ journal: Journal) {
        self.journal = journal
        var size = 16
        while size < journal.count * 2 { size *= 2 }
        table = [UInt32](repeating: .max, count: size)
        mask = size - 1
        for number in 0..<journal.count {
            let charge = journal[number].charge
            guard charge.high != 0 || charge.low != 0, self[charge] == nil else { continue }
            var place = Self.place(of: charge) & mask
            while table[place] != .max { place = (place + 1) & mask }
            table[place] = UInt32(number)
        }
    }

    package subscript(charge: ChargeID) -> Int? {
        var place = Self.place(of: charge) & mask
        while table[place] != .max {
            if journal[Int(table[place])].charge == charge { return Int(table[place]) }
            place = (place + 1) & mask
        }
        return nil
    }

    private static func place(of charge: ChargeID) -> Int {
        Int(truncatingIfNeeded: scramble(charge.high ^ scramble(charge.low)))
    }
}
