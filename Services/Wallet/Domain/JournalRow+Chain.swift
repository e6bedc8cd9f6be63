import Primitives
import Sodium

/// The chain over the journal (ADR 35).
extension JournalRow {
    /// The hash before the first row.
    package static let genesis = [UInt8](repeating: 0, count: 32)

    /// What a row's hash covers besides its columns.
    package struct Evidence: Sendable {
        /// The hash of the operation's entry; nil if no money moved.
        package var entry: [UInt8]?
        /// The keyed digest of the added card's number; nil for other rows.
        package var cardNumber: [UInt8]?

        package init(entry: [UInt8]? = nil, cardNumber: [UInt8]? = nil) {
            self.entry = entry
            self.cardNumber = cardNumber
        }
    }

    /// Keyed BLAKE2b-256 of the previous row's hash (32 bytes) followed by this row's canonical bytes.
    ///
    /// Canonical bytes, integers big-endian: version `01` · sequence (8) · kind (1) · time in milliseconds since 1970
    /// (8) · flags (1), the lowest bit first for what is there of the following · operation and fingerprint (16 + 16) ·
    /// entry's hash (32) · card number's digest (32) · trace-id and its flags (16 + 1) · correlation (length 4, UTF-8)
    /// · causation (the same) · and always the body (length 4, bytes).
    package func digest(after previous: [UInt8], key: [UInt8], _ evidence: Evidence) -> [UInt8] {
        let texts = (cause.correlation?.utf8.count ?? 0) + (cause.causation?.utf8.count ?? 0)
        // Built on the stack, as every payment is hashed.
        return withUnsafeTemporaryAllocation(
            byteCount: previous.count + Self.fixedBytesMax + texts + body.count, alignment: 1
        ) {
            var bytes = CanonicalBytes($0)
            bytes.append(previous)
            bytes.append(1 as UInt8)
            bytes.append(sequence)
            bytes.append(UInt8(truncatingIfNeeded: kind.rawValue))
            bytes.append(time.milliseconds)
            var flags: UInt8 = operation == nil ? 0 : 1
            if evidence.entry != nil { flags |= 2 }
            if evidence.cardNumber != nil { flags |= 4 }
            if cause.trace != nil { flags |= 8 }
            if cause.correlation != nil { flags |= 16 }
            if cause.causation != nil { flags |= 32 }
            bytes.append(flags)
            if let operation {
                bytes.append(operation)
                bytes.append(fingerprint ?? Fingerprint(high: 0, low: 0))
            }
            if let entry = evidence.entry { bytes.append(entry) }
            if let number = evidence.cardNumber { bytes.append(number) }
            if let trace = cause.trace {
                bytes.append(trace.trace)
                bytes.append(trace.flags)
            }
            if let correlation = cause.correlation { bytes.append(counted: correlation) }
            if let causation = cause.causation { bytes.append(counted: causation) }
            bytes.append(UInt32(body.count))
            bytes.append(body)
            return Digest.blake2b256(bytes.written, key: key)
        }
    }

    /// Bytes of the canonical form with all parts, without strings and body.
    private static let fixedBytesMax = 1 + 8 + 1 + 8 + 1 + 32 + 32 + 32 + 17 + 4 + 4 + 4
}
