import Contracts
import Hummingbird
import NIOCore
import Primitives

/// A merchant's charges as a table (RFC 4180), for programs that calculate.
private struct SalesTable {
    static let heading =
        "charge,productIndex,time,state,customer,customerName,amount,discount,refunded,currency,memo\r\n"

    static func row(_ charge: Payments.ChargeView) -> String {
        let cells = [
            charge.charge.hex, charge.productIndex.map { "\($0)" } ?? "",
            (charge.decided ?? charge.requested).rfc3339, charge.state.rawValue, charge.customer.hex,
            text(charge.customerName ?? ""), number(charge.amount), charge.discount.map(number) ?? "",
            number(charge.refunded), charge.amount.currency.code, text(charge.memo)
        ]
        return cells.joined(separator: ",") + "\r\n"
    }

    private static func number(_ money: Money) -> String {
        let cents = money.amount.magnitude % 100
        return "\(money.amount < 0 ? "-" : "")\(money.amount.magnitude / 100).\(cents < 10 ? "0" : "")\(cents)"
    }

    /// In quotes. What a spreadsheet would calculate gets an apostrophe before it: customers write some of these texts.
    private static func text(_ text: String) -> String {
        let isFormula = text.unicodeScalars.first.map { "=+-@＝＋－＠\t\r".unicodeScalars.contains($0) } ?? false
        return "\"" + (isFormula ? "'" : "") + text.replacingScalar("\"", with: "\"\"") + "\""
    }
}

extension RouteTable {
    static let sales = [
        Route(
            .get, "/v1/sales.csv", "exportSales", "The merchant's charges as a table, newest first", for: .merchant,
            key: .none, pin: false, rate: nil, query: [.state, .since], body: .none, status: 200,
            reply: .other(.csv, schema: ["type": "string"], statuses: [200]), asks: [Payments.ReadCharges.self],
            faults: [.tooManyStreams]
        ) { (call: Call) async throws(Fault) -> Answer in
            let (state, since) = (try call.query.state(), try call.query.since())
            @Sendable func page(_ before: Int64?) async throws(Fault) -> Payments.ReadCharges.Reply {
                var context = call.context
                context.deadline = call.edge.clock.now() + call.edge.configuration.deadline
                return try await call.edge.asking.ask(
                    Payments.ReadCharges(party: call.account, state: state, before: before, limit: 100, since: since),
                    in: context)
            }
            let lease = try call.edge.exports.open(call.login)
            let first = try await page(nil)
            return Answer(status: 200, content: .csv) { writer in
                var (rows, next) = (first.charges, first.next)
                try await writer.write(ByteBuffer(string: SalesTable.heading))
                while true {
                    try await writer.write(ByteBuffer(string: rows.map(SalesTable.row).joined()))
                    guard let behind = next else { return }
                    // Breaks off, so that nobody takes it for the whole.
                    if lease.stream.take()?.signal == .end { throw Fault(.sessionNotFound) }
                    let more = try await page(behind)
                    // A page of a rare state may be empty before the end; one that leads to itself is the end.
                    if more.charges.isEmpty, more.next == behind { return }
                    (rows, next) = (more.charges, more.next)
                }
            }
        }
    ]
}
