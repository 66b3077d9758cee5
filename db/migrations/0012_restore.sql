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
  -- The epoch in which the invoice series continue after the numbers of the lost copy.
  numbered_epoch bigint not null default 0,
  -- The identity at the first sweep, or at the last restore.
  identity text,
  -- Counts the sweeps. Temporal records the highest number, which proves that a database with a lower one has lost
  -- commits.
  mark bigint not null default 0,
  marked_at timestamptz,
  -- Start of the fence: nothing has moved since.
  fenced_at timestamptz,
  -- The comparison covers the rail's objects since this instant.
  compare_since timestamptz
);
insert into ledger_copy default values;

create function is_restored_copy() returns boolean language sql volatile parallel restricted as $$
  select coalesce(identity <> database_identity(), false) from ledger_copy
$$;

create function money_may_move() returns boolean language sql volatile parallel restricted as $$
  select fenced_at is null and coalesce(identity = database_identity(), true) from ledger_copy
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
  if not money_may_move() then perform refuse_restored_copy(); end if;
  return true;
end $$;

-- The same change always gets the same id (rule 21). A restored database assigns the same versions again to other
-- changes, so its epoch enters the id. A change recorded before the restore keeps its id. Behind the fence, only the
-- restore's epoch may write events.
create function event_id(event_type text, changed text, changed_version integer) returns text
language plpgsql volatile as $$
declare
  in_epoch bigint := (select nullif(epoch, 0) from ledger_copy);
  known text;
begin
  if is_restored_copy() then perform refuse_restored_copy(); end if;
  if in_epoch is not null then
    select id into known from events
    where aggregate_id = changed and type = event_type and aggregate_version = changed_version;
  end if;
  return coalesce(known, 'evt_' || left(encode(sha256(convert_to(
    concat_ws(' ', event_type, changed, changed_version, in_epoch), 'UTF8')), 'hex'), 32));
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
  -- Whatever the rail lists, including values that no payment here can have.
  amount bigint not null,
  currency text not null,
  -- For a charge: the quantity that its buyer chose.
  quantity integer,
  at timestamptz not null,
  -- For a refund: the payment's id, or the processor's id of the payment.
  payment_reference text,
  -- The session or subscription that the charge's id derives from.
  owner_id text,
  -- `open`: to be adopted; `adopted`; `person`: listed, but still adopted when its subscription charges it.
  state text not null default 'open' check (state in ('open', 'adopted', 'person', 'settled')),
  -- For a request: what it did to its subscription (`LostRequest`), until an operator decides that it continues.
  effect text check (effect in ('stops', 'pauses')),
  -- Whether the continued subscription still ends with its period: it was cancelled before the stop, or since.
  ends boolean not null default false,
  -- Whether the continued subscription collects (see `subscriptions.collects`).
  collects boolean not null default false,
  found_at timestamptz not null default service_clock(),
  closed_at timestamptz,
  primary key (rail_account_id, reference)
);
create index restore_findings_state_idx on restore_findings (state) where state in ('open', 'person');

-- True if a lost charge of this session or subscription is to be adopted, or waits for an operator.
create function is_in_question(id text) returns boolean language sql stable as $$
  select exists (select from restore_findings where owner_id = id and state in ('open', 'person'))
$$;

-- True if a charge of this subscription may be missing here: the comparison has found one, or is not complete. Includes
-- charges of lost plan changes, whose subscription can be found only by the instant in their id.
create function is_subscription_in_question(id text, merchant text, env text) returns boolean language sql volatile as $$
  select not money_may_move() or exists (
    select from restore_findings f
    where f.state in ('open', 'person') and f.kind = 'charge' and f.merchant_id = merchant and f.environment = env
      and (f.owner_id = id or f.owner_id is null
        and period_payment_id(id, to_timestamp(derived_ms(f.reference) / 1000.0), derived_ordinal(f.reference))
          = f.reference))
$$;

-- For two charges of one subscription: true if both pay the same invoice, and the first has the higher number.
create function is_later_attempt(reference text, payment_id text) returns boolean
language sql immutable strict parallel safe as $$
  select derived_ms(reference) = derived_ms(payment_id) and derived_ordinal(reference) > derived_ordinal(payment_id)
$$;

-- Accounts whose list was compared, or that rejected the query and are paused (`rail_breakers`).
create table restored_accounts (
  epoch bigint not null,
  rail_account_id text not null references rail_accounts,
  compared_at timestamptz not null default service_clock(),
  -- Number of charges and refunds in the rail's list.
  listed integer not null,
  primary key (epoch, rail_account_id)
);

-- No number is issued before those of the lost copy are skipped (rule 47), not even before the restore is noticed.
create function refuse_number_until_skipped() returns trigger language plpgsql as $$
begin
  if is_restored_copy() or (select numbered_epoch <> epoch from ledger_copy) then perform refuse_restored_copy(); end if;
  return new;
end $$;
create trigger refuse_number_until_skipped before insert or update on invoice_counters for each row
  execute function refuse_number_until_skipped();

-- Creating anything that leads to a movement of money is refused, so that the API answers 503. So is storing the mark
-- of a call (rule 3), in any statement. The restore itself may adopt.
create function refuse_while_fenced() returns trigger language plpgsql as $$
begin
  if coalesce(current_setting('service.adopts', true), '') <> 'on' then
    perform assert_money_may_move();
  end if;
  return new;
end $$;
create trigger refuse_while_fenced before insert on checkouts for each row execute function refuse_while_fenced();
create trigger refuse_while_fenced before insert on clicks for each row execute function refuse_while_fenced();
create trigger refuse_while_fenced before insert on refunds for each row execute function refuse_while_fenced();
-- Otherwise the session could no longer explain the amount of an attempt that only the rail has. A refused code may
-- belong to a coupon that the copy lacks.
create trigger refuse_coupon_while_fenced before update of coupon_id, refused_codes on checkouts for each row
  when (new.coupon_id is distinct from old.coupon_id or new.refused_codes <> old.refused_codes)
  execute function refuse_while_fenced();
create trigger refuse_mark_while_fenced before update of call_started_at on payments for each row
  when (new.call_started_at is not null) execute function refuse_while_fenced();
create trigger refuse_mark_while_fenced before update of call_started_at on refunds for each row
  when (new.call_started_at is not null) execute function refuse_while_fenced();
-- No refusal of an operation is stored while fenced, because the comparison may adopt the missing row.
create function skip_refusal_while_fenced() returns trigger language plpgsql as $$
begin
  return case when money_may_move() then new end;
end $$;
create trigger skip_refusal_while_fenced before insert on subscription_operations for each row
  when (new.answer ->> 'kind' = 'refused') execute function skip_refusal_while_fenced();
-- No session expires while the database is fenced, because the rail may already have charged it.
create function ms_to_expiry(expires_at timestamptz) returns float8 language sql volatile parallel restricted as $$
  select case when ms > 0 or money_may_move() then ms else 30000 end from ms_between(service_clock(), expires_at) as ms
$$;
-- A charge in the rail's list is not sent again: its attempt is looked up at the account that has it.
create function account_that_charged(payment_id text, merchant text, env text) returns text
language sql stable as $$
  select f.rail_account_id from restore_findings f
  where f.reference = payment_id and f.kind = 'charge' and f.merchant_id = merchant and f.environment = env
    and f.state in ('open', 'person')
  order by f.outcome = 'approved' desc, f.at limit 1
$$;
-- The deadline gives the rail's search an hour, the longest lag of any rail. If the list has a later attempt of the
-- same invoice, this one had ended in the lost copy: it is looked up as well, to avoid a second charge.
create function mark_what_was_charged() returns trigger language plpgsql as $$
begin
  select f.at, greatest(service_clock(), f.at + interval '1 hour') into new.call_started_at, new.call_deadline
  from restore_findings f
  where f.rail_account_id = new.rail_account_id and f.reference = new.id and f.state in ('open', 'person');
  if not found and new.invoice_id is not null then
    select f.at, greatest(service_clock(), f.at + interval '1 hour') into new.call_started_at, new.call_deadline
    from restore_findings f join invoices i on i.subscription_id = f.owner_id
    where i.id = new.invoice_id and f.state in ('open', 'person') and is_later_attempt(f.reference, new.id)
    order by f.at limit 1;
  end if;
  return new;
end $$;
create trigger mark_what_was_charged before insert on payments for each row
  when (new.call_started_at is null) execute function mark_what_was_charged();

-- An account whose list could not be compared may have refunds under other names: its refunds wait until an operator
-- has compared them and resumes the account.
create function refuse_refund_while_uncompared() returns trigger language plpgsql as $$
begin
  if exists (
    select from rail_breakers
    where rail_account_id = new.rail_account_id and state = 'paused' and paused_by = 'restore'
  ) then perform refuse_restored_copy(); end if;
  return new;
end $$;
create trigger refuse_while_uncompared before insert on refunds for each row
  execute function refuse_refund_while_uncompared();
create trigger refuse_mark_while_uncompared before update of call_started_at on refunds for each row
  when (new.call_started_at is not null) execute function refuse_refund_while_uncompared();
-- Only a later deadline is a new mark: withdrawing a mark restores the deadline of an earlier call.
create trigger refuse_mark_while_fenced before update of return_deadline on orphaned_charges for each row
  when (new.return_deadline > coalesce(old.return_deadline, '-infinity')) execute function refuse_while_fenced();
