/// The logs of a set: a file for each process, and what is printed of them.
struct SetLog {
    private let layout: LogLayout
    private let printer: Printer?
    private let isRaw: Bool
    private var files: [String: LogFile] = [:]

    init(_ names: [String], _ settings: Supervisor.Settings) throws {
        layout = LogLayout(names + ["billfold"], isColoured: settings.isColoured)
        printer = settings.isPrinting ? try Printer() : nil
        isRaw = settings.isRaw
        for name in names { files[name] = try LogFile("\(settings.logs)/\(name).log") }
    }

    func tail(of name: String) -> [String] { files[name]?.tail ?? [] }

    mutating func take(_ output: ArraySlice<UInt8>, of name: String) { show(files[name]?.take(output) ?? [], of: name) }

    /// A process has ended: what it wrote last may lack its newline.
    mutating func takeRest(of name: String) { show(files[name]?.takeRest() ?? [], of: name) }

    /// A line of the supervisor's own.
    func say(_ text: String) { show([text], of: "billfold") }

    func close() { printer?.close() }

    private func show(_ lines: [String], of name: String) {
        guard let printer else { return }
        for line in lines { printer.show(isRaw ? line : layout.line(name, LogLine(line))) }
    }
}
