import Bus
import BusZMQ
import CLinux
import Contracts
import Glibc
import Primitives
import ZMTP

/// Asks straight over the bus: one DEALER in the project's own dialect (docs/frames.md), each ask two frames written
/// into buffers that are used again. The tag of an ask is its slot and how often that slot was used.
package final class BusCarrier: Carrier {
    /// The header frame and the beginning of the envelope of one step.
    private struct Form {
        var header: [UInt8]
        let beforeTime: [UInt8]
    }

    /// How long an ask may take, by its own word.
    private static let deadlineMilliseconds: Int64 = 10_000
    private static let pingInterval: UInt64 = 250_000_000

    private struct Slot {
        var generation: UInt32 = 0
        var isWaiting = false
        var sent: UInt64 = 0
    }

    private let scenarios: [any Scenario]
    private let stage: Stage
    private let port: any AsksPort
    private var forms: [[Form]]
    private let text = RequestText()
    private var slots: [Slot] = []
    private var inFlight = 0
    private var messages = 0
    private var brokerInstance: UInt64?
    private var nextPing: UInt64 = 0
    private var nextSweep: UInt64 = 0
    /// Now and the deadline as text, made anew once a millisecond.
    private var clockMilliseconds: Int64 = 0
    private var timeText: [UInt8] = []
    private var expiryText: [UInt8] = []

    package init(bus: BusAddress, scenarios: [any Scenario], stage: Stage) throws {
        self.scenarios = scenarios
        self.stage = stage
        port = try bus.openAsks(lingerMilliseconds: 0)
        forms = scenarios.map { scenario in
            scenario.steps.map { step in
                // Steps that are requests only are never sent here: the plan was checked.
                guard let ask = step.ask else { return Form(header: [], beforeTime: []) }
                return Form(
                    header: PeerFrames.ask(
                        service: ask.service, retry: step.retry, tag: 0, deadline: Timestamp(milliseconds: 0)),
                    beforeTime: Array("\",\"source\":\"load\",\"type\":\"\(ask.name)\",\"time\":\"".utf8))
            }
        }
    }

    package var hasRoom: Bool { inFlight < 60_000 }

    package func send(_ operation: LoadOperation, slot: Int, now: UInt64) -> Bool {
        while slots.count <= slot { slots.append(Slot()) }
        let clock = readClock()
        let scenario = scenarios[operation.scenario]
        messages += 1
        text.clear()
        text.text("{\"specversion\":\"1.0\",\"id\":\"")
        text.hex(stage.idHigh, stage.idMask ^ UInt64(messages) | 1 << 63)
        text.text(forms[operation.scenario][operation.step].beforeTime)
        text.text(timeText)
        text.text("\",\"correlationid\":\"")
        text.hex(stage.idHigh, stage.idMask ^ UInt64(messages) | 1 << 63)
        text.text("\",\"expirytime\":\"")
        text.text(expiryText)
        text.text("\",\"data\":")
        scenario.writeAsk(operation.step, operation, stage, to: text)
        text.text("}")

        let tag = UInt64(slots[slot].generation) << 32 | UInt64(slot)
        forms[operation.scenario][operation.step].header.withUnsafeMutableBytes { header in
            header.storeBytes(of: tag.bigEndian, toByteOffset: 8, as: UInt64.self)
            header.storeBytes(
                of: UInt64(clock + Self.deadlineMilliseconds).bigEndian, toByteOffset: 16, as: UInt64.self)
        }
        guard port.send(forms[operation.scenario][operation.step].header, body: text.array) else { return false }
        slots[slot].isWaiting = true
        slots[slot].sent = now
        inFlight += 1
        return true
    }

    package func receive(now: UInt64, _ handle: (Int, CarrierEvent) -> Void) -> Bool {
        port.turn(now)
        var count = 0
        _ = port.receive { frames in
            count += 1
            take(frames, handle)
        }
        if now >= nextPing, port.isOpen {
            nextPing = now + Self.pingInterval
            _ = port.send(PeerFrames.ping, body: nil)
        }
        if now >= nextSweep {
            nextSweep = now + 100_000_000
            for slot in slots.indices where slots[slot].isWaiting && slots[slot].sent + answerPatience < now {
                end(slot)
                handle(slot, .lost(.timeout))
                count += 1
            }
        }
        return count > 0
    }

    private func take(_ frames: LinkFrames, _ handle: (Int, CarrierEvent) -> Void) {
        switch PeerFrames.read(frames[0]) {
        case .pong(let instance):
            defer { brokerInstance = instance }
            if let brokerInstance, brokerInstance != instance {
                // What the old broker had will not be answered. What was sent to the new one may be lost with it here,
                // and is asked again under its key like the rest.
                for slot in slots.indices where slots[slot].isWaiting {
                    end(slot)
                    handle(slot, .lost(.broker))
                }
            }
        case .answer(let tag, let status):
            guard let body = frames.body else { break }
            let slot = Int(tag & 0xFFFF_FFFF)
            guard slot < slots.count, slots[slot].isWaiting, slots[slot].generation == UInt32(tag >> 32) else { break }
            end(slot)
            // A foreign service may put white space between its tokens.
            if AnswerText(body).after("\"type\":\"") != nil {
                take(AnswerText(body), status, slot, handle)
            } else {
                AnswerText.compact(body).withUnsafeBytes { take(AnswerText($0), status, slot, handle) }
            }
        default: break
        }
    }

    private func take(
        _ envelope: AnswerText, _ status: UInt8, _ slot: Int, _ handle: (Int, CarrierEvent) -> Void
    ) {
        // Each search for a field of the data would begin with the envelope's own fields.
        let answer = envelope.after("\"data\":").map(AnswerText.init) ?? envelope
        handle(slot, status == 0 && isReply(envelope) ? .reply(answer) : .refusal(answer))
    }

    private func end(_ slot: Int) {
        slots[slot].isWaiting = false
        slots[slot].generation &+= 1
        inFlight -= 1
    }

    private static let replyEnding = Array(".reply".utf8)

    private func isReply(_ envelope: AnswerText) -> Bool {
        envelope.plainText("\"type\":\"").map { $0.suffix(6).elementsEqual(Self.replyEnding) } ?? false
    }

    package func wait(nanoseconds: UInt64) {
        let now = monotonicNanoseconds()
        port.turn(now)
        let patience = min(nanoseconds, port.nextTurn - min(now, port.nextTurn))
        var item = pollfd(fd: port.descriptor, events: port.events, revents: 0)
        sleepOn(&item, patience)
    }

    private func readClock() -> Int64 {
        let now = WallClock.system.now()
        if now.milliseconds != clockMilliseconds {
            clockMilliseconds = now.milliseconds
            timeText.removeAll(keepingCapacity: true)
            now.appendRFC3339(to: &timeText)
            expiryText.removeAll(keepingCapacity: true)
            Timestamp(milliseconds: now.milliseconds + Self.deadlineMilliseconds).appendRFC3339(to: &expiryText)
        }
        return now.milliseconds
    }
}

/// Waits for one descriptor, to the nanosecond (`poll` knows milliseconds only, which is a long time here).
func sleepOn(_ item: inout pollfd, _ nanoseconds: UInt64) {
    var time = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    ppoll(&item, 1, &time, nil)
}
