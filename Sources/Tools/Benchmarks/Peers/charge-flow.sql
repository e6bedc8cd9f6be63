-- For pgbench: a merchant requests money, its customer approves, both are told. Two transactions.
\set customer random(1, 1000)
\set merchant random(1001, 1020)
\set amount random(1, 100)
BEGIN;
INSERT INTO charges (merchant, customer, amount) VALUES (:merchant, :customer, :amount) RETURNING id AS charge \gset
INSERT INTO notices (account, charge, title) VALUES (:customer, :charge, 'A merchant asks for money');
COMMIT;
BEGIN;
UPDATE charges SET state = 'captured', decided = now() WHERE id = :charge AND state = 'requested';
UPDATE accounts SET balance = balance - :amount WHERE id = :customer;
UPDATE accounts SET balance = balance + :amount WHERE id = :merchant;
INSERT INTO entries (charge, debit, credit, amount) VALUES (:charge, :customer, :merchant, :amount);
INSERT INTO notices (account, charge, title) VALUES (:merchant, :charge, 'A charge was paid');
COMMIT;
