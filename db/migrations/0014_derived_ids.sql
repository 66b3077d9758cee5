-- Up Migration
-- The same charge has the same id in every copy of the database (rule 28): ids of payments and refunds derive
-- from what is paid for, so that a restored database charges under the reference that the rail already knows.
-- Existing rows keep their ids. See docs/decisions/0017-the-same-charge-has-the-same-name.md.

create function unix_ms(at timestamptz) returns bigint language sql immutable strict parallel safe as
  $$ select floor(extract(epoch from at) * 1000)::bigint $$;

-- A version 7 UUID in the format of new_id(), with counter `ordinal` and random part hash(`what`).
create function derived_id(prefix text, since timestamptz, ordinal bigint, what text) returns text
language sql immutable strict parallel safe as $$
  select prefix
    || lpad(to_hex(unix_ms(since)), 12, '0')
    || '7' || lpad(to_hex(least(ordinal, 4095)), 3, '0')
    || to_hex(8 | (get_byte(hash, 0) & 3)) || substr(encode(hash, 'hex'), 3, 15)
  from sha256(convert_to(what, 'UTF8')) hash
$$;

create function session_payment_id(checkout_id text, created_at timestamptz, attempt_no bigint) returns text
language sql immutable strict parallel safe as $$
  select derived_id('ap_pay_', created_at, attempt_no, concat_ws(' ', 'session', checkout_id, attempt_no))
$$;

create function period_payment_id(subscription_id text, period_start timestamptz, attempt_no bigint) returns text
language sql immutable strict parallel safe as $$
  select derived_id('ap_pay_', period_start, attempt_no,
    concat_ws(' ', 'period', subscription_id, (extract(epoch from period_start) * 1000000)::bigint, attempt_no))
$$;

create function derived_refund_id(payment_id text, paid_at timestamptz, operation_id text, amount integer) returns text
language sql immutable strict parallel safe as $$
  select derived_id('ap_ref_', paid_at, 0, concat_ws(' ', 'refund', payment_id, operation_id, amount))
$$;

-- A retry's id carries its period's time, so lists sort by creation, in milliseconds as the API shows it.
create index payments_newest_first on payments (merchant_id, environment, unix_ms(created_at) desc, id desc);
