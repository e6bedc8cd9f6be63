// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Primitives
import Wire

extension Routines.ImageView: Shape {
    package init(
        image: Routines.ImageID,
        kind: ImageKind,
        width: Int64,
        height: Int64,
        _: Void = ()
    ) {
        self.image = image
        self.kind = kind
        self.width = width
        self.height = height
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("image", \.image),
            Field("kind", \.kind),
            Field("width", \.width, "In pixels, 256 at most."),
            Field("height", \.height, "In pixels, 256 at most."),
        ]
    }
}

extension Routines.AddImage {
    package init(
        account: PartyID,
        image: Routines.ImageID,
        data: String,
        _: Void = ()
    ) {
        self.account = account
        self.image = image
        self.data = data
    }

    package static var summary: String { "Keeps an image: a PNG or a JPEG of at most 9,000 bytes and 256 by 256 pixels. It is written anew from the parts that make up the picture; comments, places and profiles are left out. Keyed on `image`." }
    package static var fields: [Field<Self>] {
        [
            Field("account", \.account),
            Field("image", \.image),
            Field("data", \.data, "The file in base64 (RFC 4648, section 4)."),
        ]
    }
}

extension Routines.AddImage.Reply: Shape {
    package init(
        image: Routines.ImageView,
        replayed: Bool,
        _: Void = ()
    ) {
        self.image = image
        self.replayed = replayed
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("image", \.image),
            Field("replayed", \.replayed),
        ]
    }
}

extension Routines.ReadImages {
    package init(
        account: PartyID,
        _: Void = ()
    ) {
        self.account = account
    }

    package static var summary: String { "An account's images, in the order in which they were added." }
    package static var fields: [Field<Self>] {
        [
            Field("account", \.account),
        ]
    }
}

extension Routines.ReadImages.Reply: Shape {
    package init(
        images: [Routines.ImageView],
        _: Void = ()
    ) {
        self.images = images
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("images", \.images),
        ]
    }
}

extension Routines.ReadImage {
    package init(
        account: PartyID,
        image: Routines.ImageID,
        _: Void = ()
    ) {
        self.account = account
        self.image = image
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("account", \.account),
            Field("image", \.image),
        ]
    }
}

extension Routines.ReadImage.Reply: Shape {
    package init(
        image: Routines.ImageID,
        kind: ImageKind,
        data: String,
        _: Void = ()
    ) {
        self.image = image
        self.kind = kind
        self.data = data
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("image", \.image),
            Field("kind", \.kind),
            Field("data", \.data, "The file in base64."),
        ]
    }
}

extension Routines.RemoveImage {
    package init(
        account: PartyID,
        image: Routines.ImageID,
        _: Void = ()
    ) {
        self.account = account
        self.image = image
    }

    package static var summary: String { "Deletes an image. What is named with it shows its text, or an empty frame." }
    package static var fields: [Field<Self>] {
        [
            Field("account", \.account),
            Field("image", \.image),
        ]
    }
}

extension Routines.RemoveImage.Reply: Shape {
    package init(
        removed: Bool,
        _: Void = ()
    ) {
        self.removed = removed
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("removed", \.removed, "Whether there was one."),
        ]
    }
}
