import Bus
import Contracts
import Foundation

struct AddImageHandler: Answering {
    let service: RoutineService

    func answer(_ ask: Routines.AddImage, in context: AskContext) async throws(Fault) -> Routines.AddImage.Reply {
        try await service.store.add(
            try ImageFile(base64: ask.data, or: .routineImageInvalid), as: ask, fingerprint: ask.fingerprint)
    }
}

struct ReadImagesHandler: Answering {
    let service: RoutineService

    func answer(
        _ ask: Routines.ReadImages, in context: AskContext
    ) async throws(Fault) -> Routines.ReadImages.Reply {
        .init(images: try await service.store.images(of: ask.account))
    }
}

struct ReadImageHandler: Answering {
    let service: RoutineService

    func answer(_ ask: Routines.ReadImage, in context: AskContext) async throws(Fault) -> Routines.ReadImage.Reply {
        guard let image = try await service.store.image(ask) else { throw Fault(.routineImageNotFound) }
        return .init(image: ask.image, kind: image.kind, data: Data(image.bytes).base64EncodedString())
    }
}

struct RemoveImageHandler: Answering {
    let service: RoutineService

    func answer(
        _ ask: Routines.RemoveImage, in context: AskContext
    ) async throws(Fault) -> Routines.RemoveImage.Reply {
        .init(removed: try await service.store.remove(ask, at: service.clock.now()))
    }
}
