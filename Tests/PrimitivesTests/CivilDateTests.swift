import Primitives
import Testing

@Suite("Civil dates")
struct CivilDateTests {
    @Test("text and back", arguments: ["2001-05-30", "2024-02-29", "0000-01-01", "9999-12-31"])
    func roundTrip(text: String) throws {
        #expect(try #require(CivilDate(text)).description == text)
    }

    @Test(
        "no such day",
        arguments: [
            "2001-02-29", "1900-02-29", "2001-13-01", "2001-00-10", "2001-04-31", "2001-4-30", "2001/04/30", "",
            "2001-04-3x", "+001-04-30", "2001-04-30T"
        ])
    func invalid(text: String) { #expect(CivilDate(text) == nil) }

    @Test("the day of a moment, before 1970 too")
    func ofMoment() throws {
        #expect(CivilDate(of: Timestamp(milliseconds: 0)).description == "1970-01-01")
        #expect(CivilDate(of: Timestamp(milliseconds: -1)).description == "1969-12-31")
        #expect(CivilDate(of: Timestamp(milliseconds: -86_400_000)).description == "1969-12-31")
        #expect(CivilDate(of: Timestamp(milliseconds: 951_782_400_000)).description == "2000-02-29")
    }

    @Test(
        "an age changes on the birthday (001-132)",
        arguments: [
            ("2001-05-30", "2026-05-29", 24), ("2001-05-30", "2026-05-30", 25), ("2001-05-30", "2001-05-30", 0),
            ("2004-02-29", "2025-02-28", 20), ("2004-02-29", "2025-03-01", 21), ("2004-02-29", "2024-02-29", 20),
            ("2001-05-30", "2001-05-29", -1)
        ])
    func age(born: String, on: String, years: Int) throws {
        #expect(try #require(CivilDate(born)).wholeYears(until: try #require(CivilDate(on))) == years)
    }
}
