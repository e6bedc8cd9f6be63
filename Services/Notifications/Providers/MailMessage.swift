import Foundation
import Primitives

/// A letter as it travels: RFC 5322 and MIME, ASCII only, lines ended by CR LF.
package struct MailMessage: Sendable {
    package let from, to: MailAddress
    package let subject, text: String
    package let id: String
    package let time: Timestamp

    package init(from: MailAddress, to: MailAddress, subject: String, text: String, id: String, time: Timestamp) {
        self.from = from
        self.to = to
        self.subject = subject
        self.text = text
        self.id = id
        self.time = time
    }

    package var bytes: [UInt8] {
        let isPlain = isPlain
        var lines = [
            "Date: \(date)", "From: Billfold <\(from.text)>", "To: \(to.text)", "Subject: \(encodedSubject)",
            // The same for each attempt, so that a letter that comes twice is known as one.
            "Message-ID: <\(id)@\(from.text.split(separator: "@").last ?? "localhost")>", "MIME-Version: 1.0",
            "Content-Type: text/plain; charset=utf-8",
            "Content-Transfer-Encoding: \(isPlain ? "7bit" : "base64")",
            // RFC 3834: nobody's holiday notice is wanted.
            "Auto-Submitted: auto-generated", ""
        ]
        if isPlain {
            lines += body.components(separatedBy: "\n")
        } else {
            // What is encoded has lines as they travel (RFC 2049 section 4).
            let canonical = body.replacingOccurrences(of: "\n", with: "\r\n") + "\r\n"
            let base64 = Data(canonical.utf8).base64EncodedString(options: [
                .lineLength76Characters, .endLineWithLineFeed
            ])
            lines += base64.components(separatedBy: "\n")
        }
        var bytes: [UInt8] = []
        for line in lines {
            bytes += line.utf8
            bytes += [13, 10]
        }
        return bytes
    }

    /// Lines ended by LF alone; the last one is not empty.
    private var body: String {
        var text = text.replacingOccurrences(of: "\r\n", with: "\n").replacingOccurrences(of: "\r", with: "\n")
        while text.hasSuffix("\n") { text.removeLast() }
        return text
    }

    /// What 7bit may hold (RFC 2045 section 2.7).
    private var isPlain: Bool {
        body.utf8.allSatisfy { $0 < 0x7F && ($0 >= 0x20 || $0 == 9 || $0 == 10) }
            && body.split(separator: "\n").allSatisfy { $0.utf8.count <= 998 }
    }

    /// RFC 2047 encoded words of at most 75 characters each, where it is not ASCII.
    private var encodedSubject: String {
        if subject.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }), subject.utf8.count <= 900, !subject.contains("=?") {
            return subject
        }
        var words: [String] = []
        var word: [UInt8] = []
        for character in subject {
            // 39 bytes make 52 of base64, with what stands around it 64: the field's name fits before the first.
            if word.count + character.utf8.count > 39 {
                words.append(Data(word).base64EncodedString())
                word = []
            }
            word += character.utf8
        }
        if !word.isEmpty { words.append(Data(word).base64EncodedString()) }
        return words.map { "=?utf-8?B?\($0)?=" }.joined(separator: "\r\n ")
    }

    /// `Sat, 21 Nov 2026 09:30:00 +0000`.
    private var date: String {
        let text = time.rfc3339
        let day = CivilDate(of: time)
        let names = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]  // 1 January 1970 was a Thursday.
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let days = time.milliseconds / 86_400_000
        let clock = text.dropFirst(11).prefix(8)
        return "\(names[Int(days % 7)]), \(day.day) \(months[day.month - 1]) \(day.year) \(clock) +0000"
    }
}
