import Bus
import Contracts
import LoadReport
import Primitives

/// What becomes of an operation: it goes on, is acknowledged, refused, asked again, or stays unknown.
extension Generator {
    func handle(_ slot: Int, _ event: CarrierEvent) {
        requests += 1
        switch event {
        case .reply(let answer):
            let scenario = scenarios[operations[slot].scenario]
            guard scenario.take(answer, of: operations[slot].step, into: &operations[slot], stage) else {
                return askAgain(slot, LostReason.answer.rawValue)
            }
            let endsIntent = scenario.steps[operations[slot].step].endsIntent
            operations[slot].step += 1
            operations[slot].attempt = 0
            let isDone = operations[slot].step == scenario.steps.count
            if operations[slot].receiptDiffers, isDone || endsIntent, oddReceipts.count < 20 {
                oddReceipts.append(answer.string)
            }
            if isDone { return acknowledge(slot) }
            if endsIntent {
                note(operations[slot])
                enter(&operations[slot], isAside: false)
            }
            ready.append(slot)
        case .refusal(let answer):
            let code = answer.plainText("\"code\":\"").map { String(decoding: $0, as: UTF8.self) } ?? "no_code"
            if scenarios[operations[slot].scenario].goesOn(after: code, &operations[slot], stage) {
                return goOn(slot, code)
            }
            // Only `never` is final. A PIN that has to be entered again is being entered again.
            if answer.after("\"retry\":\"never\"") != nil, code != FaultCode.pinRequired.code {
                refuse(slot, code)
            } else {
                askAgain(slot, code)
            }
        case .lost(let reason): askAgain(slot, reason.rawValue)
        }
    }

    func acknowledge(_ slot: Int) {
        let operation = operations[slot]
        note(operation)
        if journal[operation.number].isAside {
            isReloading.remove(operation.card)
        } else {
            let now = monotonicNanoseconds()
            recorder.answered(
                operation.scenario, nanoseconds: now - min(now, operation.planned), at: now,
                isMeasured: operation.isMeasured)
        }
        release(slot)
    }

    /// Notes that the present intent of an operation was acknowledged.
    private func note(_ operation: LoadOperation) {
        var intent = journal[operation.number]
        intent.outcome = .acknowledged
        intent.charge = operation.charge
        intent.entry = operation.entry
        intent.cardBalance = operation.cardBalance
        intent.receiptDiffers = operation.receiptDiffers
        intent.amount = UInt32(max(0, operation.amount - operation.discount))
        intent.discount = UInt32(max(0, operation.discount))
        intent.coupon = operation.coupon
        intent.counterpart = operation.counterpart
        journal[operation.number] = intent
        switch intent.kind {
        case .reload, .refund: balances[operation.card] += Int64(operation.amount)
        case .transfer: balances[operation.payee] += Int64(operation.amount)
        case .payment, .other, nil: break
        }
    }

    func refuse(_ slot: Int, _ code: String) {
        let operation = operations[slot]
        let number = stage.codes.number(of: code)
        journal[operation.number].outcome = .refused
        journal[operation.number].code = number
        let now = monotonicNanoseconds()
        let milliseconds = (now - min(now, operation.planned)) / 1_000_000
        journal[operation.number].refusedAfter = UInt32(clamping: milliseconds)
        journal[operation.number].wasCovered =
            operation.moves?.debitsCard == true && !overdrawn.contains(operation.card)
        if journal[operation.number].charge != operation.charge { journal[operation.number].charge = operation.charge }
        if operation.moves?.debitsCard == true { balances[operation.card] += Int64(operation.amount) }
        if journal[operation.number].isAside {
            isReloading.remove(operation.card)
        } else {
            recorder.refused(operation.scenario, number, isMeasured: operation.isMeasured)
        }
        release(slot)
    }

    /// Goes on from another step. At once, so that latency has no pause of ours in it, but not twice without an answer
    /// in between: a service that always refuses would be asked without end.
    private func goOn(_ slot: Int, _ code: String) {
        guard operations[slot].attempt == 0 else { return askAgain(slot, code) }
        noteRepeat(slot, code)
        ready.append(slot)
    }

    func askAgain(_ slot: Int, _ code: String) {
        noteRepeat(slot, code)
        let pause = min(Self.pauseFirst << UInt64(min(operations[slot].attempt, 10)), Self.pauseMax)
        let jittered = pause / 2 + UInt64(Double(pause) * dice.fraction())
        repeats.append((monotonicNanoseconds() + jittered, slot))
    }

    private func noteRepeat(_ slot: Int, _ code: String) {
        let number = stage.codes.number(of: code)
        let operation = operations[slot]
        journal[operation.number].code = number
        if journal[operation.number].repeats < .max { journal[operation.number].repeats += 1 }
        operations[slot].attempt += 1
        recorder.repeated(operation.scenario, number, isMeasured: operation.isMeasured)
    }

    func lookAtRepeats(_ now: UInt64) {
        guard !repeats.isEmpty, now >= nextRepeatLook else { return }
        nextRepeatLook = now + 2_000_000
        for (due, slot) in repeats where due <= now { ready.append(slot) }
        repeats.removeAll { $0.due <= now }
    }

    func release(_ slot: Int) {
        scenarios[operations[slot].scenario].end(operations[slot], stage)
        free.append(slot)
        live -= 1
    }

    /// What is still open stays unknown.
    func giveUp() {
        guard live > 0 else { return }
        let open = Set(operations.indices).subtracting(free)
        for slot in open {
            let operation = operations[slot]
            let intent = journal[operation.number]
            if !intent.isAside { recorder.gaveUp(operation.scenario, intent.code, isMeasured: operation.isMeasured) }
            if operation.charge.high != 0 { journal[operation.number].charge = operation.charge }
        }
    }
}
