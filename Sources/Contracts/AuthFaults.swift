/// Refusals that auth gives.
extension FaultCode {
    package static let usernameTaken = FaultCode("auth.username_taken", 409, .never, "The username is taken")
    package static let usernameInvalid = FaultCode("auth.username_invalid", 422, .never, "The username is not valid")
    package static let passwordInvalid = FaultCode(
        "auth.password_invalid", 422, .never, "A password has 8 to 128 bytes")
    package static let nameInvalid = FaultCode("auth.name_invalid", 422, .never, "The name is not valid")
    package static let emailInvalid = FaultCode(
        "auth.email_invalid", 422, .never, "The e-mail address is not valid")
    package static let birthdateInvalid = FaultCode(
        "auth.birthdate_invalid", 422, .never, "The date of birth is not valid")
    package static let profileInvalid = FaultCode(
        "auth.profile_invalid", 422, .never, "The profile is not valid")
    package static let reasonInvalid = FaultCode("auth.reason_invalid", 422, .never, "The reason is not valid")
    package static let resetInvalid = FaultCode(
        "auth.reset_invalid", 401, .never, "The code is wrong, or its time is up")
    package static let registrationReused = FaultCode(
        "auth.id_reused", 422, .never, "The same id was used for another registration")
    package static let wrongCredentials = FaultCode(
        "auth.wrong_credentials", 401, .never, "The username or the password is wrong")
    package static let passwordRequired = FaultCode(
        "auth.password_required", 403, .never, "The current password is required")
    package static let transfersHeld = FaultCode(
        "auth.transfers_held", 403, .later, "Transfers to others are held for a while")
    package static let lastAdministrator = FaultCode(
        "auth.last_administrator", 409, .never, "This is the only administrator")
    package static let tooManyAttempts = FaultCode("auth.too_many_attempts", 429, .later, "Too many attempts")
    package static let sessionNotFound = FaultCode(
        "auth.session_not_found", 401, .never, "There is no such session, or it has ended")
    package static let letterNotFound = FaultCode("auth.letter_not_found", 404, .never, "There is no such letter")
    package static let partyNotFound = FaultCode("auth.account_not_found", 404, .never, "There is no such account")
    package static let pinInvalid = FaultCode("auth.pin_invalid", 422, .never, "A PIN has four digits")
    package static let pinNotSet = FaultCode("auth.pin_not_set", 409, .never, "No PIN is set")
    package static let pinWrong = FaultCode("auth.pin_wrong", 401, .never, "Invalid Pin")
    package static let pinDelayed = FaultCode("auth.pin_delayed", 429, .later, "Too many wrong PINs; wait")
    package static let pinLocked = FaultCode("auth.pin_locked", 423, .never, "The PIN is locked")
    package static let pinRequired = FaultCode("auth.pin_required", 403, .never, "The PIN has to be entered first")
    package static let busy = FaultCode("auth.busy", 503, .later, "Too many log-ins at once")
}
