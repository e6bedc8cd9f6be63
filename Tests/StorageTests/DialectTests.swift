import Storage
import Testing

@Suite("SQLite's words in PostgreSQL")
struct DialectTests {
    @Test(
        "each is translated",
        arguments: [
            (
                "SELECT name FROM things WHERE id = ? AND number > ?2",
                #"SELECT "name" FROM "things" WHERE "id" = $1 AND "number" > $2"#
            ),
            ("SELECT ?1, ?, ?1", "SELECT $1 , $2 , $1"),
            ("SELECT x'00ff', 'it''s' -- why", #"SELECT '\x00ff'::bytea , 'it''s'"#),
            (
                "INSERT OR IGNORE INTO t (a) VALUES (?)",
                #"INSERT INTO "t" ( "a" ) VALUES ( $1 ) ON CONFLICT DO NOTHING"#
            ),
            (
                "SELECT max(a, 1), max(a), sum(a = 1), iif(a, b, c)",
                #"SELECT greatest( "a" , 1 ) , max( "a" ) , sum( ( "a" = 1 ) ::int) , ( CASE WHEN "a" THEN "b" ELSE "c" END )"#
            ),
            (
                "SELECT a FROM t WHERE a IS ? OR b IS NOT ? OR c IS NOT NULL",
                #"SELECT "a" FROM "t" WHERE "a" IS NOT DISTINCT FROM $1 OR "b" IS DISTINCT FROM $2 OR "c" IS NOT NULL"#
            ),
            (
                "SELECT a FROM t WHERE a NOT GLOB '*[^a-z.]*' AND b GLOB '$x?*'",
                #"SELECT "a" FROM "t" WHERE "a" !~ '^.*[^a-z.].*$' AND "b" ~ '^\$x..*$'"#
            ),
            (
                "SELECT CAST(a AS BLOB), CAST(b AS TEXT), CAST(c AS INTEGER)",
                #"SELECT as_bytes( "a" ) , as_text( "b" ) , ( "c" )::bigint"#
            ),
            (
                "SELECT number FROM notices INDEXED BY some WHERE hex(id) = ?",
                #"SELECT "number" FROM "notices" WHERE upper(encode( "id" , 'hex')) = $1"#
            ),
            (
                "CREATE TABLE t (row INTEGER PRIMARY KEY, id BLOB CHECK (length(id) = 16), n TEXT COLLATE BINARY)",
                #"CREATE TABLE "t" ( "row" bigint PRIMARY KEY , "id" bytea CHECK ( length( "id" ) = 16 ) , "n" text COLLATE "C" )"#
            ),
            ("DROP TRIGGER keeps", #"DROP FUNCTION "keeps" CASCADE"#)
        ])
    func translates(sql: String, expected: String) throws {
        #expect(try Dialect(sql).sql == expected)
    }

    @Test(
        "what changes something is told from what reads",
        arguments: [
            ("SELECT 1", false), ("WITH a AS (SELECT 1) UPDATE t SET b = 1", true), ("INSERT INTO t VALUES (1)", true),
            ("DELETE FROM t", true), ("CREATE INDEX i ON t (a)", true), ("SELECT updated FROM t", false)
        ])
    func writes(sql: String, isWrite: Bool) throws { #expect(try Dialect(sql).isWrite == isWrite) }

    @Test("text that does not end is refused", arguments: ["SELECT 'a", "SELECT (1", "SELECT 1)"])
    func refuses(sql: String) { #expect(throws: SQLReader.Failure.self) { try Dialect(sql) } }
}
