import Bus
import Contracts
import Primitives
import Schemas
import Wire

package struct NewTransfer: RequestBody, Equatable {
    package let to: Recipient
    package let amount: TypedAmount
    package let memo: String?
    package let card: CardID?

    static let notes: [String: SchemaNote] = ["amount": .typedAmount, "memo": .memo, "card": .payingCard]
}

/// A transfer as its sender sees it.
package struct SentTransfer: WireMessage, Equatable {
    package let operation: OperationID
    package let from: Wallet.Holder
    package let to: Wallet.Holder
    /// What the receiver is called.
    package let toName: String?
    package let amount: Money
    package let memo: String
    /// What the sender has left.
    package let balance: Money
    package let entry: Int64
    package let time: Timestamp

    init(_ posted: Wallet.TransferPosted, toName: String?) {
        operation = posted.operation
        from = posted.from
        to = posted.to
        self.toName = toName
        amount = posted.amount
        memo = posted.memo
        balance = posted.balance
        entry = posted.entry
        time = posted.time
    }
}

/// Whom a transfer is for: a username, or an account and its role.
package struct Recipient: Codable, Sendable, Equatable {
    package let username: String?
    package let account: PartyID?
    package let role: Wallet.HolderRole?
}

extension Recipient: Schematic {
    package static let sample = Recipient(username: "bob", account: nil, role: nil)
    package static let schema: JSONValue = [
        "oneOf": [
            [
                "type": "object", "required": ["username"], "additionalProperties": false,
                "properties": [
                    "username": ["type": "string", "pattern": "^[A-Za-z0-9._@+-]{1,64}$"],
                    "account": ["type": "null"], "role": ["type": "null"]
                ]
            ],
            [
                "type": "object", "required": ["account", "role"], "additionalProperties": false,
                "properties": [
                    "account": PartyID.schema, "role": ["type": "string", "enum": ["customer", "merchant"]],
                    "username": ["type": "null"]
                ]
            ]
        ]
    ]
    package static let example: JSONValue = ["username": "bob"]
}

extension RouteTable {
    static let transfers = [
        Route(
            .post, "/v1/transfers", "createTransfer", "Gives money to another user, free of charge", for: .holders,
            key: .required, pin: true, status: 201,
            asks: [
                Auth.ReadAccount.self, Wallet.OpenAccount.self, Wallet.PostTransfer.self, Wallet.ReadTransfer.self
            ],
            faults: [.transfersHeld, .merchantNotApproved], unseen: [.transferNotFound]
        ) { (call: Call, body: NewTransfer) async throws(Fault) -> Given<SentTransfer> in
            let operation: OperationID = call.operation()
            try await enforce(hold(call), unlessMade: operation, call)
            let from = try sender(body, call)
            let (to, account) = try await holder(body.to, call)
            try await enforce(account.flatMap { refusal(of: $0, as: to.role) }, unlessMade: operation, call)
            if to.role == .merchant, account?.role == .merchant {
                // The wallet may have been away when the merchant was registered. Its refusal would use up the key.
                let merchant = Actor(role: .merchant, party: to.party)
                _ = try await call.ask(Wallet.OpenAccount(merchant: to.party), as: merchant)
            }
            let posted = try await call.ask(
                Wallet.PostTransfer(
                    operation: operation, from: from, to: to, amount: body.amount.money, memo: body.memo ?? ""))
            return Given(SentTransfer(posted.result, toName: account?.name), replayed: posted.replayed)
        },
        Route(
            .get, "/v1/transfers/{transfer}", "readTransfer", "The receipt of a transfer that the account has sent",
            for: .holders, asks: [Wallet.ReadTransfer.self, Auth.ReadAccount.self], unseen: [.partyNotFound]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<SentTransfer> in
            let posted = try await call.ask(Wallet.ReadTransfer(operation: call.id(), sender: call.account)).result
            // The receipt is shown without the name too.
            let account = try? await view(of: posted.to.party, call)
            return Given(SentTransfer(posted, toName: account?.name))
        }
    ]

    /// Refuses a new transfer. A repeat of one that was made before the refusal gets its answer again.
    private static func enforce(
        _ refusal: Fault?, unlessMade operation: OperationID, _ call: Call
    ) async throws(Fault) {
        guard let refusal else { return }
        do throws(Fault) {
            _ = try await call.ask(Wallet.ReadTransfer(operation: operation, sender: call.account))
        } catch {
            throw error.code == .transferNotFound ? refusal : Fault(.outcomeUnknown)
        }
    }

    /// After an account was recovered, or its address changed, its owner has time to notice before money can leave.
    ///
    /// Auth is asked: what the gateway remembers of the session may be from before.
    private static func hold(_ call: Call) async throws(Fault) -> Fault? {
        let session = try await call.edge.sessions.read(
            call.login.digest, at: call.now, asking: call.edge.asking, in: call.context)
        guard let until = session.view.transfersHeldUntil, until > call.now else { return nil }
        return Fault(
            .transfersHeld,
            "The account was recovered, or its e-mail address or PIN was replaced. Transfers can be made again from "
                + "\(until.rfc3339) on. This request moved no money",
            retryAfterSeconds: Int(((until - call.now).wholeMilliseconds + 999) / 1000))
    }

    private static func sender(_ body: NewTransfer, _ call: Call) throws(Fault) -> Wallet.Holder {
        if call.login.view.role == .customer {
            return Wallet.Holder(party: call.account, role: .customer, card: body.card)
        }
        guard body.card == nil else {
            throw Fault(WireError(.invalidValue(why: "is for customers only"), path: "card"))
        }
        return Wallet.Holder(party: call.account, role: .merchant)
    }

    private static func holder(_ recipient: Recipient, _ call: Call) async throws(Fault) -> (
        holder: Wallet.Holder, account: Auth.AccountView?
    ) {
        switch (recipient.username, recipient.account, recipient.role) {
        case (nil, let account?, let role?):
            return (Wallet.Holder(party: account, role: role), try await view(of: account, call))
        case (let username?, nil, nil):
            let view = try await call.ask(Auth.ReadAccount(username: username))
            guard let role = Wallet.HolderRole(rawValue: view.role.rawValue) else { throw Fault(.partyNotFound) }
            return (Wallet.Holder(party: view.account, role: role), view)
        default:
            throw Fault(
                WireError(.invalidValue(why: "must hold either 'username', or 'account' and 'role'"), path: "to"))
        }
    }

    /// A merchant who may not charge receives no transfers either.
    private static func refusal(of account: Auth.AccountView, as role: Wallet.HolderRole) -> Fault? {
        // An account that is no merchant's has no status.
        role == .customer || account.status ?? .approved == .approved ? nil : Fault(.merchantNotApproved)
    }

    /// Nil where there is no such account, which is for the ledger to say.
    private static func view(of party: PartyID, _ call: Call) async throws(Fault) -> Auth.AccountView? {
        do throws(Fault) { return try await call.ask(Auth.ReadAccount(account: party)) } catch {
            if error.code == .partyNotFound { return nil }
            throw error
        }
    }
}
