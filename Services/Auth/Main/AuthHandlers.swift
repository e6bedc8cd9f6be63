import AuthService
import Bus

extension AccountService {
    /// One handler for each type that the service answers.
    var handlers: [any Answering] {
        [
            RegisterAccountHandler(self),
            ReadAccountHandler(self),
            OpenSessionHandler(self),
            ReadSessionHandler(self),
            ReadSessionsHandler(self),
            CloseSessionHandler(self),
            SetPINHandler(self),
            VerifyPINHandler(self),
            ReadProfileHandler(self),
            UpdateProfileHandler(self),
            ChangePasswordHandler(self),
            DecideMerchantHandler(self),
            ReadMerchantsHandler(self),
            RequestResetHandler(self),
            RequestUsernamesHandler(self),
            UseResetHandler(self),
            RestoreAddressHandler(self),
            ReadLetterHandler(self),
            ConfirmLetterHandler(self),
            ReadAdministratorsHandler(self),
            RenewAdministratorHandler(self),
            RemoveAdministratorHandler(self)
        ]
    }
}
