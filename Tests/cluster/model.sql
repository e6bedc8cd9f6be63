-- The ledger of the model. Nothing here is unique: the fence alone has to keep entries single and in order.
create table head (epoch bigint not null, sequence bigint not null, time timestamptz not null);
create table entries (sequence bigint not null, epoch bigint not null, key text not null, payer text not null,
  payee text not null, minor bigint not null);
insert into entries select n, 0, 'open:' || n, '', 'account:' || n, 100000 from generate_series(1, 10) n;
insert into head values (0, 10, now());
