/// SQLite's functions that stores use and PostgreSQL lacks, made in each schema.
enum SQLiteFunctions {
    static let sql = """
        CREATE FUNCTION as_bytes(text) RETURNS bytea LANGUAGE sql IMMUTABLE STRICT AS
            $$ SELECT convert_to($1, 'UTF8') $$;
        CREATE FUNCTION as_bytes(bytea) RETURNS bytea LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT $1 $$;
        CREATE FUNCTION as_text(bytea) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS
            $$ SELECT convert_from($1, 'UTF8') COLLATE "C" $$;
        CREATE FUNCTION as_text(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT $1 $$;
        CREATE FUNCTION as_text(bigint) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS
            $$ SELECT $1::text COLLATE "C" $$;
        CREATE FUNCTION zeroblob(int) RETURNS bytea LANGUAGE sql IMMUTABLE STRICT AS
            $$ SELECT decode(repeat('00', $1), 'hex') $$;
        -- Paths are of the form '$.name'.
        CREATE FUNCTION json_value_at(text, text) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT AS
            $$ SELECT nullif($1::jsonb #> string_to_array(substr($2, 3), '.'), 'null'::jsonb) $$;
        CREATE FUNCTION json_extract(text, text) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS
            $$ SELECT CASE value WHEN 'true' THEN '1' WHEN 'false' THEN '0' ELSE value END COLLATE "C"
               FROM (SELECT $1::jsonb #>> string_to_array(substr($2, 3), '.')) AS found (value) $$;
        CREATE FUNCTION printf(text, bigint, bigint) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS
            $$ SELECT replace(replace($1, '%d', $2::text), '%02d', lpad($3::text, 2, '0')) $$;
        CREATE FUNCTION shown_time(text, timestamp) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS
            $$ SELECT to_char($2, CASE $1
                WHEN '%Y-%m-%d %H:%M:%S' THEN 'YYYY-MM-DD HH24:MI:SS'
                WHEN '%Y-%m-%dT%H:%M:%fZ' THEN 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"' END) COLLATE "C" $$;
        CREATE FUNCTION strftime(text, numeric, text) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS
            $$ SELECT shown_time($1, timestamp '1970-01-01' + $2 * interval '1 second') $$;
        CREATE FUNCTION strftime(text, text) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS
            $$ SELECT shown_time($1, timezone('UTC', $2::timestamptz)) $$;
        CREATE TABLE sqlite_sequence (name text COLLATE "C" PRIMARY KEY, seq bigint NOT NULL);
        """
}
