/// What clients ask.
extension Router {
    mutating func ask(_ message: Incoming, _ frames: Frames, from client: Peer) -> Verdict {
        counters.asks += 1
        var cost = 0
        for index in message.bodyStart..<frames.count { cost += frames[index].count }
        let bodyFrames = frames.count - message.bodyStart
        guard cost <= limits.bodyBytes, bodyFrames <= limits.bodyFrames else {
            return refuseAtOnce(.tooLarge, message)
        }
        if message.service.starts(with: "mmi.") {
            return .inform(mmi(message.service, body: frames[message.bodyStart]), ReturnAddress(message))
        }
        guard let deadline = deadline(of: message) else { return refuseAtOnce(.deadlineExceeded, message) }
        let isTrial = message.service.starts(with: Trial.prefix)
        let name = isTrial ? UnsafeRawBufferPointer(rebasing: message.service[Trial.bytes...]) : message.service
        guard !name.isEmpty, let service = services.intern(name, max: limits.services) else {
            return refuseAtOnce(.noWorker, message)
        }
        services[service].asks += 1
        cost += bodyFrames * limits.frameOverheadBytes
        guard let index = room(for: cost, service, message, client) else {
            let fault: Fault = services[service].workers > 0 ? .queueFull : .noWorker
            services.forgetIfUnused(service)
            return refuseAtOnce(fault, message)
        }
        expiries[index] = deadline.queueMs
        heldAsks[index].deadlineMs = deadline.unixMs
        heldAsks[index].isTrial = isTrial
        enqueue(index, service)
        dispatch(service)
        return .park(index: index, bodyStart: message.bodyStart)
    }

    /// 8/MMI: `mmi.service` finds a service that has a live worker; nothing else is implemented.
    private func mmi(_ request: UnsafeRawBufferPointer, body: UnsafeRawBufferPointer) -> StaticString {
        guard request.equals("mmi.service") else { return "501" }
        guard let service = services.find(body), services[service].workers > 0 else { return "404" }
        return "200"
    }

    private mutating func refuseAtOnce(_ fault: Fault, _ message: Incoming) -> Verdict {
        counters.count(Drop(fault))
        return .refuse(fault, ReturnAddress(message))
    }

    /// When the ask's time is up in the queue (monotonic), and the deadline its worker is told (Unix; 0: none).
    ///
    /// `nil`: it has passed already. Measured on the monotonic clock from here on, whatever the wall clock does.
    private func deadline(of message: Incoming) -> (queueMs: Int64, unixMs: UInt64)? {
        guard message.deadlineMs > 0 else { return (now.monotonicMs + limits.queueTimeMs, 0) }
        let latest = UInt64(clamping: now.unixMs) + UInt64(limits.deadlineMaxMs)
        let deadline = min(message.deadlineMs, latest)
        guard deadline > UInt64(clamping: now.unixMs) else { return nil }
        // A millisecond later, because the clocks' milliseconds do not begin together: nobody is told before the
        // deadline that it has passed, and a worker that takes the ask after that finds that it has.
        return (now.monotonicMs + Int64(deadline) - now.unixMs + 1, deadline)
    }

    private mutating func room(for cost: Int, _ service: Int, _ message: Incoming, _ client: Peer) -> Int? {
        let isFlowing = services[service].isFlowing
        let waiting = isFlowing ? Waiting() : waitingOf[client, default: Waiting()]
        guard services[service].waiting < limits.queuedPerService,
            services[service].queuedBytes + cost <= limits.queuedBytesPerService,
            services[service].workers > 0 || waitingForNobody < limits.waitingForNobody,
            waiting.asks < limits.queuedPerClient
        else { return nil }
        // Neither a client's asks nor a service's may take more than is free: see `MemoryBudget`.
        let taken = max(waiting.bytes, services[service].queuedBytes)
        guard isFlowing || taken + cost <= limits.heldBytes - heldBytes else {
            counters.count(.memory)
            return nil
        }
        return holdAsk(message, cost: cost, service: service, client: client)
    }
}
