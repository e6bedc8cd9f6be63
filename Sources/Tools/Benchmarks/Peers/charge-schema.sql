-- A merchant's charge with approval, written plainly: what charge-flow.sql needs. 1,000 customers, 20 merchants.
CREATE TABLE accounts (id integer PRIMARY KEY, balance bigint NOT NULL CHECK (balance >= 0));
INSERT INTO accounts SELECT number, 1000000000 FROM generate_series(1, 1000) AS number;
INSERT INTO accounts SELECT 1000 + number, 0 FROM generate_series(1, 20) AS number;
CREATE TABLE charges (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    merchant integer NOT NULL,
    customer integer NOT NULL,
    amount bigint NOT NULL,
    state text NOT NULL DEFAULT 'requested',
    requested timestamptz NOT NULL DEFAULT now(),
    decided timestamptz
);
CREATE INDEX ON charges (customer, requested);
CREATE INDEX ON charges (merchant, requested);
CREATE TABLE entries (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, charge bigint NOT NULL UNIQUE, debit integer NOT NULL,
    credit integer NOT NULL, amount bigint NOT NULL
);
CREATE TABLE notices (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, account integer NOT NULL, charge bigint NOT NULL,
    title text NOT NULL
);
CREATE INDEX ON notices (account, id);
