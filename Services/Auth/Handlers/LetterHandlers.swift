import Bus
import Contracts

/// Gives a letter to the service that sends it. The code in it is derived here and not stored.
package struct ReadLetterHandler: Answering {
    private let service: AccountService

    package init(_ service: AccountService) { self.service = service }

    package func answer(_ ask: Auth.ReadLetter, in context: AskContext) async throws(Fault) -> Auth.ReadLetter.Reply {
        guard let letter = try await service.store.letter(ask.letter, at: service.clock.now()) else {
            throw Fault(.letterNotFound)
        }
        return letter.reply(service.code(of: letter.id.reinterpreted(), letter.codeKind))
    }
}

/// Deletes a letter once its sender has stored it.
package struct ConfirmLetterHandler: Answering {
    private let service: AccountService

    package init(_ service: AccountService) { self.service = service }

    package func answer(
        _ ask: Auth.ConfirmLetter, in context: AskContext
    ) async throws(Fault) -> Auth.ConfirmLetter.Reply {
        .init(confirmed: try await service.store.confirmLetter(ask.letter))
    }
}
