/// Refusals that wallet gives.
extension FaultCode {
    package static let idReused = FaultCode(
        "wallet.id_reused", 422, .never, "The same id was used for something else")
    package static let insufficientFunds = FaultCode("wallet.insufficient_funds", 402, .never, "Insufficient funds")
    package static let amountInvalid = FaultCode("wallet.amount_invalid", 422, .never, "The amount is not valid")
    package static let currencyMismatch = FaultCode("wallet.currency_mismatch", 422, .never, "Wrong currency")
    package static let noCard = FaultCode("wallet.no_card", 409, .never, "No card")
    package static let cardNotFound = FaultCode("wallet.card_not_found", 404, .never, "There is no such card")
    package static let cardInvalid = FaultCode(
        "wallet.card_invalid", 422, .never, "A card has 16 digits and a code of 8")
    package static let cardTaken = FaultCode("wallet.card_taken", 409, .never, "This card is already registered")
    package static let tooManyCards = FaultCode("wallet.too_many_cards", 409, .never, "No more cards can be added")
    package static let accountNotFound = FaultCode("wallet.account_not_found", 404, .never, "There is no such account")
    package static let holdNotFound = FaultCode("wallet.hold_not_found", 404, .never, "There is no such hold")
    package static let holdCaptured = FaultCode("wallet.hold_captured", 409, .never, "The hold is already captured")
    package static let holdVoided = FaultCode("wallet.hold_voided", 409, .never, "The hold was voided")
    package static let holdExpired = FaultCode("wallet.hold_expired", 409, .never, "The hold has expired")
    package static let paymentNotFound = FaultCode("wallet.payment_not_found", 404, .never, "There is no such payment")
    package static let paymentClosed = FaultCode("wallet.payment_closed", 409, .never, "The payment was closed")
    package static let paymentPosted = FaultCode("wallet.payment_posted", 409, .never, "The payment is already made")
    package static let refundTooLarge = FaultCode(
        "wallet.refund_too_large", 422, .never, "The refunds would exceed the amount paid")
    package static let transferNotFound = FaultCode(
        "wallet.transfer_not_found", 404, .never, "There is no such transfer")
    package static let selfTransfer = FaultCode(
        "wallet.self_transfer", 422, .never, "Sender and recipient are the same account")
}
