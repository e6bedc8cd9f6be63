-- Payments for wrk, each with an Idempotency-Key of its own. Arguments: run, merchant, token …
local head, tail, tokens, sent = {}, nil, 0, 0

function init(args)
    local body = '{"merchant":"' .. args[2] .. '","amount":{"amount":1,"currency":"USD"},"memo":"Coffee"}'
    tokens = #args - 2
    for i = 1, tokens do
        head[i] = "POST /v1/payments HTTP/1.1\r\nHost: " .. wrk.headers["Host"] .. "\r\nAuthorization: Bearer "
            .. args[2 + i] .. "\r\nContent-Type: application/json\r\nContent-Length: " .. #body
            .. "\r\nIdempotency-Key: " .. args[1] .. "-"
    end
    tail = "\r\n\r\n" .. body
end

function request()
    sent = sent + 1
    return head[sent % tokens + 1] .. sent .. tail
end

function done(summary, latency)
    local errors = summary.errors
    print(string.format(
        '{"name":"payments by wrk","count":%d,"seconds":%.3f,"perSecond":%.0f,"p50Micros":%.0f,"p99Micros":%.0f,'
            .. '"maxMicros":%.0f,"errors":%d}',
        summary.requests, summary.duration / 1e6, summary.requests / (summary.duration / 1e6),
        latency:percentile(50), latency:percentile(99), latency.max,
        errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
