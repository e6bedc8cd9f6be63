/// Our ZeroMQ binding of AsyncAPI and CloudEvents, on one page: no official one exists.
///
/// `docs/zeromq-binding.md` is a copy of it, which a test holds to this text.
package enum ZeroMQBinding {
    /// Where the gateway serves the page, and what documents refer to.
    package static let path = "/zeromq.md"

    package static let page = #"""
        # ZeroMQ binding of Billfold's bus, version 1

        How the messages of the [AsyncAPI document](/asyncapi.json) travel. The document says what is asked, answered and
        told; this page says which bytes go through which socket. Together they are enough to write a client, a service
        that takes the place of one, or a subscriber, in any language that has ZeroMQ 4 (ZMTP 3). In the document,
        `bindings` → `x-zeromq` holds what is special to a server or channel.

        ## Sockets

        One broker per set. `RUN` is `BILLFOLD_RUN`, or `/tmp/billfold-` and the user's number. Peers connect, the broker binds.

        | endpoint | broker | yours | for |
        |---|---|---|---|
        | `ipc://RUN/asks.sock` | ROUTER | DEALER | asks and answers: clients and workers |
        | `ipc://RUN/facts-out.sock` | XPUB | SUB | facts that you hear |
        | `ipc://RUN/facts-in.sock` | XSUB | PUB | facts that you publish |

        Who may open the sockets is believed. Never set a routing id that begins with a zero byte. Send without blocking, and
        take the broker as lost after 10 s of silence: close the socket and begin again on a new one.

        ## One frame, one event

        An ask, an answer and a fact are each one **CloudEvents 1.0 event in structured JSON mode, in one frame**, UTF-8, at most
        64 KiB. `type` is the contract: `service.noun.verb.vN`. Its first part is the channel, which is the service's name on
        the wire. An answer has the ask's type and `.reply`; whatever does not end in `.reply` is a refusal, whose `data` is a
        problem (RFC 9457) with a `code`. An answer repeats the ask's `correlationid` (or its `id`, where it has none) and has
        the ask's `id` as `causationid`. The broker reads no JSON.

        ## Asks: frames

        The Majordomo Protocol, in four dialects. Each message says in which it is; clients and workers of different dialects
        understand each other. Frames are as a DEALER sends and sees them; "empty" is a frame of no bytes.

        | | 18/MDP (0.2) | 7/MDP (0.1) | `majortomo` (PyPI) |
        |---|---|---|---|
        | client → REQUEST | `MDPC02`, `01`, service, event | empty, `MDPC01`, service, event | empty, `MDPC02`, `02`, service, event |
        | client ← answer | `MDPC02`, `03`, service, event | empty, `MDPC01`, service, event | empty, `MDPC02`, `04`, event |
        | worker → READY | `MDPW02`, `01`, service | empty, `MDPW01`, `01`, service | as 18/MDP, |
        | worker ← REQUEST | `MDPW02`, `02`, token, empty, event | empty, `MDPW01`, `02`, token, empty, event | each message |
        | worker → answer | `MDPW02`, `04`, token, empty, event | empty, `MDPW01`, `03`, token, empty, event | behind one |
        | both: HEARTBEAT | `MDPW02`, `05` | empty, `MDPW01`, `04` | more empty |
        | both: DISCONNECT | `MDPW02`, `06` | empty, `MDPW01`, `05` | frame |

        `01` … `06` are single bytes with that value. The fourth dialect, for many asks at once, is one binary header
        frame (`BFC1` or `BFW1`) and the event; `docs/wire.md` has it bit by bit. It is never needed.

        **A client** sends REQUEST and waits for the answer. Several asks may be open on one socket; tell answers apart by
        `causationid`. No answer by your own deadline: the outcome is unknown. Then `x-billfold-retry` decides: `idempotent` and
        `keyed` asks are sent again (keyed ones unchanged: the same key, the same content), `once` is not. Do the same after a
        refusal whose `retry` is `same_key`; after `later` nothing has happened.

        **A worker** (the least that replaces a service, in 18/MDP):

        1. Connect a DEALER, send READY with the service's name. Nothing answers that.
        2. REQUEST: keep the token, read the event, do it, send FINAL (`04`) with the same token and one event: the reply or a
           refusal. One ask at a time; several workers of one service share its asks.
        3. Nothing for 2 s while idle: send HEARTBEAT. The broker says something at least once a second, and gives an idle worker
           that is silent for 10 s up. While it works on an ask, a worker may be silent.
        4. DISCONNECT from the broker: it does not know you (any more). New socket, READY again.
        5. To stop: finish what you have, send DISCONNECT, close. What was on its way to you is lost for its client
           (`bus.worker_lost`), who asks again.

        What a worker owes besides the reply of the channel's document:

        | when | refuse with |
        |---|---|
        | the frame is no event, or its `data` is not as the schema has it | `bus.malformed`; without a readable `id` or `type`, the refusal's type is `bus.fault.v1` |
        | the type is none of the channel's | `bus.unknown_type` |
        | `expirytime` has passed | `bus.deadline_exceeded`, and nothing is done |
        | `actor` may not do this | `bus.forbidden` |
        | the same key with other content | the service's `…id_reused`; with the same content: the first outcome, `"replayed":true` |

        Every service also answers `<service>.stats.read.v1`, and one that publishes facts `<service>.facts.read.v1`: they are in
        its channel. Ask the service `mmi.service` with a name as the body (8/MMI) whether somebody answers for it: `200` or `404`.

        ## Facts: frames

        Two frames: the **topic**, which is the type and one zero byte, and the **event**, which has a `sequence` of 20 digits.

        ```
        77 61 6c 6c 65 74 2e … 2e 76 31 00      wallet.payment.posted.v1 and 00
        {"specversion":"1.0", … "sequence":"00000000000000004711","data":{…}}
        ```

        Subscribe to the type and the zero byte for one type (without it, `…v1` would take `…v10` too), or to `wallet.` for all.

        What is published is a hint and may be lost or come twice. The facts of one source are numbered 1, 2, 3 … without a gap,
        and `<source>.facts.read.v1` gives those after a number, as they were published. `<source>.facts.head.v1` tells the newest
        number when it has moved and once a second. To miss nothing, keep a cursor, in the same step as what you make of a fact:

        1. Subscribe, then ask for everything after the cursor, page by page, until the cursor is the page's `head`.
        2. A fact with the cursor's successor: deal with it. Not above the cursor: known. Above the successor, or a `head` above the
           cursor: ask for everything after the cursor.

        Whoever takes the place of a service that publishes facts does the same from the other side: numbers them without a gap
        behind those that there are, publishes topic and event to `facts-in.sock`, answers `<source>.facts.read.v1`, and tells its
        head.

        ## Limits

        | | |
        |---|---|
        | an event | 64 KiB: beyond that `bus.too_large` |
        | a service's name | 1 to 255 bytes; names that begin with `mmi.` are taken |
        | waiting for a worker | the ask's deadline, 10 s without one; then `bus.no_worker` |
        | a worker's time for an ask | five minutes |
        | asks waiting for one service | 10,000; then `bus.queue_full` |
        | a page of facts | 1 to 1,000 of them, at most 62 KiB |
        """# + "\n"
}
