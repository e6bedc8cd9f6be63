import Bus
import Contracts
import Primitives
import Synchronization

/// What payments publishes, and what it keeps of each charge.
extension SnapshotReader {
    func readCapture(_ fact: Envelope, into snapshot: inout Snapshot) throws {
        let sequence = fact.sequence ?? 0
        switch fact.type {
        case Payments.ChargeCaptured.type.name:
            let published = try Payments.ChargeCaptured(json: fact.data)
            snapshot.captures.append(
                Snapshot.Capture(
                    sequence: sequence, charge: published.charge, customer: published.customer,
                    merchant: published.merchant,
                    card: published.card, amount: published.amount.amount, entry: published.entry,
                    coupon: published.coupon))
        case Payments.ChargeRefunded.type.name:
            let published = try Payments.ChargeRefunded(json: fact.data)
            snapshot.refundsPublished.append(
                Snapshot.Refund(
                    sequence: sequence, charge: published.charge, amount: published.amount.amount,
                    refunded: published.refunded.amount))
        default: break
        }
    }

    /// The lists of all merchants who were ever paid or asked for money.
    ///
    /// - Returns: merchants whose lists cannot be read to their ends.
    /// - Throws: the fault of a payments that does not answer.
    func readCharges(into snapshot: inout Snapshot) async throws -> Set<PartyID> {
        var merchants: Set<PartyID> = []
        _ = try await FactReader<Payments>.read(bus, after: 0, through: snapshot.heads[Payments.service]) { fact, _ in
            switch fact.type {
            case Payments.ChargeCaptured.type.name:
                merchants.insert(try Payments.ChargeCaptured(json: fact.data).merchant)
            case Payments.ChargeRequested.type.name:
                merchants.insert(try Payments.ChargeRequested(json: fact.data).merchant)
            default: break
            }
        }
        let unread = Atomic(0)
        let lists = try await pipelined(Array(merchants), width: Self.width, on: bus) { merchant in
            let isTried = unread.load(ordering: .relaxed) < Self.unreadMax
            let (charges, trouble) = isTried ? try await charges(of: merchant) : ([], Self.notTried)
            if trouble != nil { unread.add(1, ordering: .relaxed) }
            return (merchant, (charges, trouble))
        }
        var damaged: Set<PartyID> = []
        for (merchant, (charges, trouble)) in lists {
            snapshot.charges += charges
            guard let trouble else { continue }
            snapshot.unreadable.append(trouble)
            damaged.insert(merchant)
        }
        return damaged
    }

    /// What stands behind the damage in those merchants' lists, one by one: so that only what is wrong is named.
    func readCharges(of damaged: Set<PartyID>, into snapshot: inout Snapshot) async throws {
        let known = Set(snapshot.charges.map(\.charge))
        let missing = snapshot.moves.compactMap { move -> Payments.ReadCharge? in
            guard case .payment(let charge, _, let merchant, _) = move.kind, damaged.contains(merchant),
                !known.contains(charge)
            else { return nil }
            return Payments.ReadCharge(charge: charge, party: merchant)
        }
        let unread = Atomic(0)
        let found = try await pipelined(missing, width: Self.width, on: bus) { ask -> ChargeReading in
            // Each of them takes its whole patience if payments reads nothing at all.
            if unread.load(ordering: .relaxed) >= Self.unreadMax { return .unknown(ask.charge) }
            switch try await answer(to: ask) {
            case .success(let charge): return .read(charge)
            case .failure(let fault) where fault.code == .chargeNotFound: return .missing
            case .failure:
                unread.add(1, ordering: .relaxed)
                return .unknown(ask.charge)
            }
        }
        for reading in found {
            switch reading {
            case .read(let charge): snapshot.charges.append(Snapshot.Charge(charge))
            case .unknown(let charge): snapshot.unknownCharges.insert(charge)
            case .missing: break
            }
        }
        if !snapshot.unknownCharges.isEmpty {
            snapshot.unreadable.append(
                "of \(snapshot.unknownCharges.count) payments, payments does not say whether they have receipts")
        }
    }

    private enum ChargeReading: Sendable {
        case read(Payments.ChargeView)
        case missing
        case unknown(ChargeID)
    }

    /// Lists or charges that cannot be read, after which no other one is tried.
    private static let unreadMax = 64
    private static let notTried = "so many charges cannot be read that not all were tried"

    /// What can be read of a merchant's list, and what kept the rest from being read.
    func charges(of merchant: PartyID) async throws(Fault) -> ([Snapshot.Charge], trouble: String?) {
        var charges: [Snapshot.Charge] = []
        var before: Int64?
        while true {
            switch try await answer(
                to: Payments.ReadCharges(party: merchant, state: nil, before: before, limit: 100))
            {
            case .failure(let fault):
                // The receipts behind it are missed one by one.
                return (charges, "the list of merchant \(merchant.hex) cannot be read: \(fault.code)")
            case .success(let page):
                charges += page.charges.map(Snapshot.Charge.init)
                guard let next = page.next else { return (charges, nil) }
                before = next
            }
        }
    }

    /// The answer of payments; a failure is damage that it has met.
    ///
    /// - Throws: the fault of a payments that does not answer, also not within `patience`: nothing is known then.
    private func answer<A: Ask>(to ask: A) async throws(Fault) -> Result<A.Reply, Fault> {
        do throws(Fault) {
            return .success(try await bus.ask(ask, in: AskContext(deadline: bus.clock.now() + Self.pagePatience)))
        } catch {
            guard Self.saysNothing(error) else { return .failure(error) }
        }
        do throws(Fault) {
            return .success(try await bus.ask(ask, in: AskContext(deadline: bus.clock.now() + patience)))
        } catch {
            guard Self.saysNothing(error) else { return .failure(error) }
            throw error
        }
    }

    /// How long damage is asked for again, as if it were a service in trouble.
    private static let pagePatience = Duration.seconds(3)

    private static func saysNothing(_ fault: Fault) -> Bool {
        [.deadlineExceeded, .outcomeUnknown, .noWorker, .queueFull, .workerLost].contains(fault.code)
    }
}

extension Snapshot.Charge {
    fileprivate init(_ view: Payments.ChargeView) {
        self.init(
            charge: view.charge, isCaptured: view.state == .captured, customer: view.customer, merchant: view.merchant,
            card: view.card, amount: view.amount.amount, entry: view.entry, refunded: view.refunded.amount,
            coupon: view.coupon)
    }
}
