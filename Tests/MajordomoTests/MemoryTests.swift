import Majordomo
import Testing

/// Bounds on memory, who may have how much of it, and what the kernel allows.
@Suite("Memory")
struct MemoryTests {
    @Test("messages may take less than half of the process's memory", arguments: [64 << 20, 256 << 20, 1 << 30])
    func shares(process: Int) {
        let budget = MemoryBudget(process: process)
        #expect(budget.asks + budget.connections + budget.facts <= process / 2)
        // A body of the largest size passes also where there is least.
        #expect(budget.asks > 2 * Limits().bodyBytes)
    }

    @Test("a limit below what the process needs for itself counts as the least that it can run with")
    func bounds() {
        #expect(MemoryBudget(process: 1) == MemoryBudget(process: MemoryBudget.processMin))
        #expect(MemoryBudget(process: .max) == MemoryBudget(process: MemoryBudget.processMax))
    }

    /// One connection takes as much as it can get.
    private func take(_ used: inout Int, free: (_ used: Int) -> Int) {
        var taken = 0
        while taken < free(used) {
            taken += 4_096
            used += 4_096
        }
    }

    @Test("a connection that takes all it can get leaves half, and several are short before all is taken")
    func connections() {
        let budget = MemoryBudget(process: 256 << 20)
        var used = 0
        for hog in 1...3 {
            take(&used) { budget.freeForConnections(used: $0) }
            #expect(used <= budget.connections)
            #expect(budget.isShort(local: used, remote: 0) == (hog > 2))
        }
    }

    @Test("peers by tcp that do not read leave three quarters, and make nobody on this host go")
    func remotePeers() {
        let budget = MemoryBudget(process: 256 << 20)
        var remote = 0
        for _ in 1...16 { take(&remote) { budget.freeForRemote(used: $0) } }
        #expect(remote <= budget.connections / 4 + 4_096)
        #expect(budget.freeForConnections(used: remote) > budget.connections / 3 * 2)
        #expect(!budget.isShort(local: budget.connections / 2, remote: remote))
    }

    @Test("where large facts have no room, heads and ordinary facts have some still")
    func facts() {
        let budget = MemoryBudget(process: 256 << 20)
        #expect(budget.hasRoom(fact: 60_000, unsent: 0))
        #expect(!budget.hasRoom(fact: 60_000, unsent: budget.facts / 2))
        #expect(budget.hasRoom(fact: 700, unsent: budget.facts / 2))
        #expect(!budget.hasRoom(fact: 700, unsent: budget.facts))
    }

    // MARK: Asks

    /// A body of 1,000 bytes with what is charged for its frame.
    private static let body = String(repeating: "x", count: 1_000 - Limits().frameOverheadBytes)

    private func harness(_ bytes: Int, given: Int = 1 << 20) -> Harness {
        var limits = Limits()
        limits.heldBytes = bytes
        limits.givenBytesPerWorker = given
        return Harness(limits)
    }

    @Test("one client gets half, and others have their asks taken in")
    func clients() {
        let bus = harness(20_000)
        for tag in 1...30 { bus.send(BF.ask("s\(tag)", Self.body, tag: UInt64(tag)), from: "greedy") }
        #expect(bus.stats.heldBytes == 10_000)
        #expect(bus.drops(.memory) == 20)
        #expect(bus.take("greedy").map { code($0[1]) } == Array(repeating: "bus.no_worker", count: 20))
        bus.send(BF.ask("other", Self.body, tag: 1), from: "modest")
        #expect(bus.take("modest").isEmpty)
    }

    @Test("the queue of one service gets half, whoever asks, and says that it is full")
    func queues() {
        let bus = harness(20_000)
        bus.send(BF.ready("stopped", credit: 1), from: "w")
        for tag in 1...30 { bus.send(BF.ask("stopped", Self.body, tag: UInt64(tag)), from: "c\(tag)") }
        #expect(bus.stats.heldBytes <= 11_000)
        #expect(bus.drops(.queueFull) == bus.drops(.memory))
        #expect(code(bus.take("c30")[0][1]) == "bus.queue_full")
    }

    @Test("an ask that goes to a worker at once passes beside queues that take all they can get")
    func flowing() {
        let bus = harness(20_000)
        bus.send(BF.ready("busy", credit: 1), from: "w")
        for tag in 1...200 { bus.send(BF.ask("dead\(tag % 5)", Self.body, tag: UInt64(tag)), from: "c\(tag % 7)") }
        #expect(bus.drops(.memory) > 0)
        for tag in 1...20 {
            bus.send(BF.ask("busy", Self.body, tag: UInt64(tag)), from: "modest")
            bus.send(BF.reply(BF.token(bus.take("w")[0])), from: "w")
            #expect(bus.take("modest").map { $0[0] } == [BF.answer(tag: UInt64(tag))])
        }
    }

    // MARK: Workers

    @Test("a worker that does not answer gets so many bytes and no more; the rest waits, and goes on with its answers")
    func given() {
        let bus = harness(1 << 20, given: 3_000)
        bus.send(BF.ready("s", credit: 100), from: "w")
        for tag in 1...10 { bus.send(BF.ask("s", Self.body, tag: UInt64(tag)), from: "c") }
        var got = bus.take("w")
        #expect(got.count == 3)
        #expect(bus.service("s")?.queued == 7)
        var answered = 0
        while let ask = got.first {
            got.removeFirst()
            bus.send(BF.reply(BF.token(ask)), from: "w")
            answered += 1
            got += bus.take("w")
        }
        #expect(answered == 10)
        #expect(bus.take("c").map { $0[0] } == (1...10).map { BF.answer(tag: $0) })
    }

    @Test("an ask larger than that is given to a worker that has none")
    func oneLargeAsk() {
        let bus = harness(1 << 20, given: 500)
        bus.send(BF.ready("s", credit: 100), from: "w")
        bus.send(BF.ask("s", Self.body), from: "c")
        #expect(bus.take("w").count == 1)
    }

    @Test("a worker that is held up stays; what never left for it waits in its order, and is given at a later tick")
    func heldUp() {
        let bus = Harness()
        bus.send(BF.ready("s", credit: 100), from: "w")
        bus.full = ["w"]
        for tag in 1...3 { bus.send(BF.ask("s", "\(tag)", tag: UInt64(tag)), from: "c") }
        #expect(bus.take("w").isEmpty)
        #expect(bus.service("s")?.queued == 3)
        #expect(bus.service("s")?.workers == 1)
        bus.full = []
        bus.pass(ms: 100)
        #expect(bus.take("w").filter { $0.count == 2 }.map { $0[1] } == ["1", "2", "3"].map(text))
        #expect(bus.take("c").isEmpty)
    }

    @Test("another worker of the service gets what one that is held up does not take")
    func heldUpBesideAnother() {
        let bus = Harness()
        bus.send(BF.ready("s", credit: 100), from: "slow")
        bus.send(BF.ready("s", credit: 100), from: "quick")
        bus.full = ["slow"]
        for tag in 1...4 { bus.send(BF.ask("s", tag: UInt64(tag)), from: "c") }
        #expect(bus.take("quick").count == 4)
    }

    // MARK: The kernel's limit

    private func limit(_ files: [String: String]) -> Int? { MemoryLimit.ofControlGroup { files[$0] } }

    @Test("version 2: the smallest limit of the group and of those around it")
    func version2() {
        let group = ["/proc/self/cgroup": "0::/system.slice/billfold\n"]
        #expect(limit(group) == nil)
        #expect(limit(group.merging(["/sys/fs/cgroup/system.slice/billfold/memory.max": "max\n"]) { $1 }) == nil)
        let inner = group.merging(["/sys/fs/cgroup/system.slice/billfold/memory.max": "268435456\n"]) { $1 }
        #expect(limit(inner) == 268_435_456)
        #expect(limit(inner.merging(["/sys/fs/cgroup/system.slice/memory.max": "1048576\n"]) { $1 }) == 1_048_576)
    }

    @Test("version 2 in a container: its own root")
    func version2InContainer() {
        #expect(limit(["/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/memory.max": "134217728\n"]) == 134_217_728)
    }

    @Test("version 1: its memory controller, whose number near 2^63 is no limit; in a container the path is the host's")
    func version1() {
        let group = ["/proc/self/cgroup": "5:cpu,cpuacct:/x\n4:memory:/docker/0123\n0::/\n"]
        let root = "/sys/fs/cgroup/memory/memory.limit_in_bytes"
        #expect(limit(group.merging([root: "9223372036854771712\n"]) { $1 }) == nil)
        #expect(limit(group.merging([root: "268435456\n"]) { $1 }) == 268_435_456)
    }

    @Test("no files, or other ones: no limit is known")
    func noFiles() {
        #expect(limit([:]) == nil)
        #expect(limit(["/proc/self/cgroup": "garbage\n::\n0::/a\n", "/sys/fs/cgroup/a/memory.max": ""]) == nil)
    }
}
