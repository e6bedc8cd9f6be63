/// Our ZeroMQ binding of AsyncAPI and CloudEvents, on one page: no official one exists.
///
/// `docs/zeromq-binding.md` is a copy of it, which a test holds to this text.
package enum ZeroMQBinding {
    /// Where the gateway serves the page, and what documents refer to.
    package static let path = "/zeromq.md"

    package static let page = #"""
        # ZeroMQ binding of Billfold's bus, version 1

        The [AsyncAPI document](/asyncapi.json) says what is asked, answered and published; this page says which bytes go through
        which socket. Both are enough to write a client, a service that takes the place of one, or a subscriber, in any language
        that has ZeroMQ 4 (ZMTP 3). `billfold contracts --asyncapi SERVICE` prints the document of one service alone. In the
        document, `bindings` → `x-zeromq` holds what is special to a server or channel.

        ## Sockets

        One broker per set. `RUN` is `BILLFOLD_RUN`, or `/tmp/billfold-` and the user's number. Peers connect, the broker binds.

        | endpoint | broker | yours | for |
        |---|---|---|---|
        | `ipc://RUN/asks.sock` | ROUTER | DEALER | asks and answers: clients and workers |
        | `ipc://RUN/facts-out.sock` | XPUB | SUB | facts that you consume |
        | `ipc://RUN/facts-in.sock` | XSUB | PUB | facts that you publish |

        `ipc://` is libzmq's, a Unix socket. JeroMQ 0.3, as Debian has it, has another one in its place, which connects and reaches nobody:
        in Java use jzmq (`libzmq-java`).

        The broker trusts every process that can open the sockets. Between hosts they are three tcp ports, `P` for asks, `P`+1 for
        facts that you publish and `P`+2 for facts that you consume, with CURVE: set your secret key, the public key that follows from
        it, and the broker's public key as the server's. The broker rejects unknown keys.

        Never set a routing id that begins with a zero byte. Send without blocking. Count the broker as lost after 10 s of
        silence: close the socket and begin again on a new one.

        ## One frame, one event

        An ask, an answer and a fact are each one **CloudEvents 1.0 event in structured JSON mode, in one frame**, UTF-8, at most
        64 KiB. `type` is the contract: `service.noun.verb.vN`. Its first part is the channel, which is the service's name on
        the wire. A reply has the ask's type and `.reply`. Any other answer is a refusal: its type ends in `.fault`, its `data` is a
        problem (RFC 9457) with a `code`. An answer repeats the ask's `correlationid` (or its `id`, where it has none) and has
        the ask's `id` as `causationid`. The broker reads no JSON.

        ## Asks: frames

        The Majordomo Protocol, in four dialects. Each message shows its dialect; clients and workers of different dialects
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
        frame (`BFC1` or `BFW1`) and the event; `docs/frames.md` has it bit by bit. It is never needed.

        **A client** sends REQUEST and waits for the answer. Several asks may be open on one socket; tell answers apart by
        `causationid`. No answer by your own deadline: the outcome is unknown. Then `x-billfold-retry` decides: `idempotent` and
        `keyed` asks are sent again (keyed ones unchanged: the same key, the same content), `once` is not. Do the same after a
        refusal whose `retry` is `same_key`; after `later` nothing has happened.

        **A worker** (the least that replaces a service, in 18/MDP):

        1. Connect a DEALER, send READY with the service's name. Nothing answers that.
        2. REQUEST: keep the token, read the event, do it, send FINAL (`04`) with the same token and one event: the reply or a
           refusal. One ask at a time; several workers of one service share its asks.
        3. While idle, send HEARTBEAT every 2 s, whatever the broker sends: it sends something at least once a second, and counts
           an idle worker that is silent for 10 s as lost. While it works on an ask, a worker may be silent.
        4. On DISCONNECT from the broker, which does not know you (any more): open a new socket, send READY again.
        5. To stop: finish the asks that you have, send DISCONNECT, close. The client of an ask that was on its way to you gets
           `bus.worker_lost` and asks again.

        Before it does anything, a worker checks each ask, in this order:

        | what is wrong | refuse with |
        |---|---|
        | the frame is no event: no JSON in UTF-8, a key twice, `specversion`, `id`, `source` or `type` missing or empty, an attribute of another form than `Envelope` has | `bus.malformed`; the refusal's type is `bus.fault.v1`, without `causationid` |
        | the type is none of the channel's, or one that you leave out | `bus.unknown_type` |
        | `expirytime` has passed | `bus.deadline_exceeded` |
        | `data` has another form than its schema: `type`, `required`, `enum`, `format`, `additionalProperties`, the `pattern` of an identifier or a currency, a key twice or written with an escape, `1.5`, `1e2` or `100.0` for a whole number, a number beyond 64 bits, U+0000, half of a surrogate pair, nesting beyond 32 | `bus.malformed` |
        | `actor` is none of the operation's `x-billfold-actors` | `bus.forbidden` |
        | `data` is beyond a limit of its schema: `minimum`, `maximum`, `minLength`, `maxLength`, `minItems`, `maxItems`, any other `pattern` | the one of the operation's `x-billfold-faults` that is about the field (`location.coordinate_invalid`), and `bus.malformed` where there is none |
        | the key is known, with other content | the service's `…id_reused` |

        A refused ask has changed nothing; refused for one of the first six reasons, it has not used up its key either. The same key with
        the same content gets the first outcome, with `"replayed":true`.

        Every service also answers `<service>.stats.read.v1`, and one that publishes facts `<service>.facts.read.v1`.
        `<service>.spans.read.v1`, `<service>.table.read.v1`, `<service>.backup.write.v1`, `<service>.cursor.move.v1` and
        `<service>.state.….v1` (the hand-over of the state: `docs/replace-a-service.md`) may be left out, and so may the asks that
        `docs/conformance.md` lists for the service. Answer an ask that you leave out with `bus.unknown_type`. `billfold check
        SERVICE -- COMMAND` runs the cases of a contract against a program and names those that fail. Ask the service `mmi.service` with
        a name as the body (8/MMI) whether a worker is there for it: `200` or `404`.

        ## Facts: frames

        Two frames: the **topic**, which is the type and one zero byte, and the **event**, which has a `sequence` of 20 digits.

        ```
        77 61 6c 6c 65 74 2e … 2e 76 31 00      wallet.payment.posted.v1 and 00
        {"specversion":"1.0", … "sequence":"00000000000000004711","data":{…}}
        ```

        Subscribe to the type and the zero byte for one type (without it, `…v1` would take `…v10` too), or to `wallet.` for all.

        A published fact is a hint: it may be lost or come twice. The facts of one source are numbered 1, 2, 3 … without a gap,
        and `<source>.facts.read.v1` returns those after a number, as they were published. `<source>.facts.head.v1` has the newest
        number, when it has moved and once a second. To miss nothing, keep a cursor and write it together with the result:

        1. Subscribe, then read everything after the cursor, page by page, until the cursor is the page's `head`.
        2. Process a fact whose number follows the cursor. Ignore one at or below the cursor. After one further on, or a `head` above
           the cursor, read everything after the cursor.

        **A source** writes a fact in the transaction of the change that it describes, with the next number; publishes topic and event to
        `facts-in.sock`; answers `<source>.facts.read.v1`; and publishes its head. A log belongs to the source, not to the program: in a
        set without facts of the source the first number is 1. A program that takes over a source with facts has all of them, byte for
        byte, and continues after the newest. Readers compare the last fact that they have read: if the log lacks it or has another in its
        place, they stop reading.

        ## Limits

        | | |
        |---|---|
        | an event | 64 KiB: beyond that `bus.too_large` |
        | `id`, `source`, `type`, `correlationid`, `causationid`, `traceparent` of an ask | 255 bytes each as written: beyond that `bus.malformed` |
        | a service's name | 1 to 255 bytes; names that begin with `mmi.` and `try.` are taken |
        | waiting for a worker | the ask's deadline, 10 s without one; then `bus.no_worker` |
        | a worker's time for an ask | five minutes |
        | asks waiting for one service | 10,000; then `bus.queue_full` |
        | a page of facts | 1 to 1,000 of them, at most 62 KiB |
        """# + "\n"
}
