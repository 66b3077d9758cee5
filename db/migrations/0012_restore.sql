-- Up Migration
-- After a restore the rail knows more than this database. Nothing may charge, refund or send events until the rail's list
-- was compared (rule 29, docs/decisions/0018-nothing-moves-until-a-restored-database-is-compared.md).

-- Identifies where this copy of the database lives. It differs after every kind of restore except a snapshot
-- of the data directory's files: a dump gets another oid or cluster, recovery from the archive and a failover
-- another timeline.
create function database_identity() returns text language sql volatile parallel restricted as $$
  select concat_ws(':', (select system_identifier from pg_control_system()), oid,
    left(pg_walfile_name(pg_current_wal_lsn()), 8))
  from pg_database where datname = current_database()
$$;

create table ledger_copy (
  only_row boolean primary key default true check (only_row),
  -- Part of event ids; raised by every restore. Unix milliseconds of the fence: two restores of one backup differ.
  epoch bigint not null default 0,
  -- The identity at the first sweep, or at the last restore.
  identity text,
  -- Counts the sweeps. Temporal records the highest, which proves that a database with a lower one lost
  -- commits.
  mark bigint not null default 0,
  marked_at timestamptz,
  -- Nothing has moved since then.
  fenced_at timestamptz,
  -- The restore compares the rail's objects since then.
  compare_since timestamptz
);
insert into ledger_copy default values;

create function is_restored_copy() returns boolean language sql volatile parallel restricted as $$
  select coalesce(identity <> database_identity(), false) from ledger_copy
$$;

create function is_fenced() returns boolean language sql volatile parallel restricted as $$
  select fenced_at is not null or coalesce(identity <> database_identity(), false) from ledger_copy
$$;

create function refuse_restored_copy() returns void language plpgsql as $$
begin
  raise exception using errcode = '57R01',
    message = 'the database was restored and has not been compared with the rail yet',
    hint = 'npm run ops -- restored';
end $$;

-- The fence takes the lock exclusively: a call whose mark is stored before the fence has a deadline that the
-- comparison waits for. plpgsql, because each of its statements has a new snapshot.
create function assert_money_may_move() returns boolean language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock_shared(hashtext('ledger_copy'));
  if is_fenced() then perform refuse_restored_copy(); end if;
  return true;
end $$;

-- Events may be written behind the fence, but only in the epoch of the restore.
create function event_epoch() returns bigint language plpgsql volatile as $$
begin
  if is_restored_copy() then perform refuse_restored_copy(); end if;
  return (select epoch from ledger_copy);
end $$;

-- Objects in the rail's list that the restored database lacks, or has with other values.
create table restore_findings (
  epoch bigint not null,
  rail_account_id text not null references rail_accounts,
  kind text not null check (kind in ('charge', 'refund', 'request')),
  -- Our id at the rail: a payment's or a refund's.
  reference text not null,
  merchant_id text not null references merchants,
  environment text not null,
  outcome text not null,
  amount integer not null,
  currency text not null,
  at timestamptz not null,
  -- For a refund: the payment's id, or the processor's id of it.
  payment_reference text,
  -- The session or subscription that the charge's id derives from.
  owner_id text,
  -- `open`: to be adopted; `later`: its subscription adopts it when the period begins; `adopted`; `person`: listed.
  state text not null default 'open' check (state in ('open', 'later', 'adopted', 'person', 'settled')),
  -- For a request: it stopped its subscription, which continues if an operator decides so.
  stopped boolean not null default false,
  found_at timestamptz not null default service_clock(),
  closed_at timestamptz,
  primary key (rail_account_id, reference)
);
create index restore_findings_state_idx on restore_findings (state) where state in ('open', 'later', 'person');

-- Accounts whose list was compared, or that could not be queried.
create table restored_accounts (
  epoch bigint not null,
  rail_account_id text not null references rail_accounts,
  compared_at timestamptz not null default service_clock(),
  -- The rail's list.
  listed integer not null,
  -- Null, or why the account could not be asked.
  refusal text,
  primary key (epoch, rail_account_id)
);

-- Creating anything that leads to a movement of money waits: the API answers 503. So does storing the mark of
-- a call (rule 3), in whatever statement. Only the restore itself adopts.
create function refuse_while_fenced() returns trigger language plpgsql as $$
begin
  if coalesce(current_setting('service.adopts', true), '') <> 'on' then
    perform assert_money_may_move();
  end if;
  return new;
end $$;
create trigger refuse_while_fenced before insert on checkouts for each row execute function refuse_while_fenced();
create trigger refuse_while_fenced before insert on pay_requests for each row execute function refuse_while_fenced();
create trigger refuse_while_fenced before insert on refunds for each row execute function refuse_while_fenced();
create trigger refuse_mark_while_fenced before update of call_started_at on payments for each row
  when (new.call_started_at is not null) execute function refuse_while_fenced();
create trigger refuse_mark_while_fenced before update of call_started_at on refunds for each row
  when (new.call_started_at is not null) execute function refuse_while_fenced();
-- A mark that is undone gets the deadline of an earlier call.
create trigger refuse_mark_while_fenced before update of return_deadline on orphaned_charges for each row
  when (new.return_deadline > coalesce(old.return_deadline, '-infinity')) execute function refuse_while_fenced();
