import CPostgres

/// The servers that an address of libpq names.
///
/// libpq takes the first one that lets it write. A primary that was deposed without noticing does, too: whoever tries
/// the servers in another order each time gets past it.
struct PostgresHosts {
    private let lists: [(keyword: String, values: [Substring])]

    /// - Parameter address: a connection string or URI of libpq (postgresql.org/docs/15/libpq-connect.html).
    /// - Throws: `OpenError.address`. It does not have libpq's own words, which quote parts of passwords.
    init(_ address: String) throws(PostgresDatabase.OpenError) {
        guard let options = PQconninfoParse(address, nil) else { throw .address }
        defer { PQconninfoFree(options) }
        var lists: [(String, [Substring])] = []
        var option = options
        while let keyword = option.pointee.keyword {
            let name = String(cString: keyword)
            if ["host", "hostaddr", "port"].contains(name), let value = option.pointee.val {
                let values = String(cString: value).split(separator: ",", omittingEmptySubsequences: false)
                guard name != "port" || values.allSatisfy({ $0.isEmpty || UInt16($0) != nil }) else { throw .address }
                lists.append((name, values))
            }
            option += 1
        }
        self.lists = lists
    }

    var count: Int { lists.map(\.values.count).max() ?? 1 }

    /// Keywords and values instead of the address's, with the servers in their order from the one of this number on.
    func options(from turn: Int) -> [(String, String)] {
        lists.map { keyword, values in
            let first = turn % values.count
            return (keyword, (values[first...] + values[..<first]).joined(separator: ","))
        }
    }
}
