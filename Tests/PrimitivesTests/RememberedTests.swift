import Primitives
import Testing

@Suite("Remembered")
struct RememberedTests {
    @Test("a new key in a full table forgets all others; a change of a known one does not")
    func full() {
        var known = Remembered<String, Int>(atMost: 2)
        known["a"] = 1
        known["b"] = 2
        known["b"] = 3
        #expect(known["a"] == 1 && known["b"] == 3)
        known["c"] = nil
        #expect(known["a"] == 1)
        known["c"] = 4
        #expect(known["a"] == nil && known["b"] == nil && known["c"] == 4)
    }

    @Test("a key that is taken out makes room, and all can be forgotten")
    func forgetting() {
        var known = Remembered<String, Int>(atMost: 1)
        known["a"] = 1
        known["a"] = nil
        #expect(known["a"] == nil)
        known["b"] = 2
        #expect(known["b"] == 2)
        known.forgetAll()
        #expect(known["b"] == nil)
    }
}
