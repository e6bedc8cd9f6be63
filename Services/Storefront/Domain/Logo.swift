import Contracts
import Foundation
import Primitives
import Sodium

/// A logo that is an image, as it is kept.
package struct Logo: Sendable, Equatable {
    package let kind: ImageKind
    package let width: Int64
    package let height: Int64
    package let bytes: [UInt8]

    package init(kind: ImageKind, width: Int64, height: Int64, bytes: [UInt8]) {
        self.kind = kind
        self.width = width
        self.height = height
        self.bytes = bytes
    }

    /// - Throws: `storefront.logo_invalid`, with the reason.
    package init(base64: String) throws(Fault) {
        let file = try ImageFile(base64: base64, or: .logoInvalid)
        self.init(kind: file.kind, width: Int64(file.width), height: Int64(file.height), bytes: file.bytes)
    }

    package var base64: String { Data(bytes).base64EncodedString() }

    package var view: Storefront.LogoImage {
        Storefront.LogoImage(
            image: Storefront.LogoID(bytes: Digest.blake2b(bytes, length: 16))!, kind: kind, width: width,
            height: height)
    }
}
