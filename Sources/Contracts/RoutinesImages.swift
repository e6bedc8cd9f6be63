import Primitives
import Wire

/// An account's own images.
extension Routines {
    package enum Image {}
    package typealias ImageID = Identifier<Image>

    package struct ImageView: WireMessage, Equatable {
        package let image: ImageID
        package let kind: ImageKind
        /// In pixels, 256 at most.
        package let width: Int64
        /// In pixels, 256 at most.
        package let height: Int64
    }

    /// Images of one account.
    package static let imagesMax = 60

    /// Keeps an image: a PNG or a JPEG of at most 9,000 bytes and 256 by 256 pixels. It is written anew from the parts
    /// that make up the picture; comments, places and profiles are left out. Keyed on `image`.
    package struct AddImage: Ask, Equatable {
        package static let type: MessageType = "routines.image.add.v1"
        package static let effect: Effect<Self> = .keyed(by: \.image)
        package static let access: Access<Self> = .only(\.account, .customer)
        package static let limits: [Limit<Self>] = [
            .text(\.data, 1...ImageFile.base64Max, or: .routineImageInvalid, example: "/9j/4AAQSkZJRgABAQ…")
        ]
        package static let faults: [FaultCode] = [.routineImageInvalid, .tooManyRoutineImages, .routinesIDReused]
        package static var examples: Examples<Self> {
            Examples(
                Self(account: Samples.customer, image: Samples.image, data: Samples.pixel),
                reply: Reply(image: Samples.imageView, replayed: true))
        }

        package struct Reply: WireMessage, Equatable {
            package let image: ImageView
            package let replayed: Bool
        }

        package let account: PartyID
        package let image: ImageID
        /// The file in base64 (RFC 4648, section 4).
        package let data: String
    }

    /// An account's images, in the order in which they were added.
    package struct ReadImages: Ask, Equatable {
        package static let type: MessageType = "routines.images.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .only(\.account, .customer)
        package static let faults: [FaultCode] = []
        package static var examples: Examples<Self> {
            Examples(
                Self(account: Samples.customer), reply: Reply(images: [Samples.imageView]), bareReply: Reply(images: [])
            )
        }

        package struct Reply: WireMessage, Equatable {
            package let images: [ImageView]
        }

        package let account: PartyID
    }

    package struct ReadImage: Ask, Equatable {
        package static let type: MessageType = "routines.image.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .only(\.account, .customer)
        package static let faults: [FaultCode] = [.routineImageNotFound]
        package static var examples: Examples<Self> {
            Examples(
                Self(account: Samples.customer, image: Samples.image),
                reply: Reply(image: Samples.image, kind: .png, data: Samples.pixel))
        }

        package struct Reply: WireMessage, Equatable {
            package let image: ImageID
            package let kind: ImageKind
            /// The file in base64.
            package let data: String
        }

        package let account: PartyID
        package let image: ImageID
    }

    /// Deletes an image. What is named with it shows its text, or an empty frame.
    package struct RemoveImage: Ask, Equatable {
        package static let type: MessageType = "routines.image.remove.v1"
        package static let effect: Effect<Self> = .idempotent
        package static let access: Access<Self> = .only(\.account, .customer)
        package static let faults: [FaultCode] = []
        package static var examples: Examples<Self> {
            Examples(Self(account: Samples.customer, image: Samples.image), reply: Reply(removed: true))
        }

        package struct Reply: WireMessage, Equatable {
            /// Whether there was one.
            package let removed: Bool
        }

        package let account: PartyID
        package let image: ImageID
    }
}
