-- Up Migration
alter table subscriptions
  -- A dispute was lost: nothing is charged from then on, whatever an open charge's outcome would schedule.
  add column charging_stopped_at timestamptz;

alter table disputes
  -- Raised by each change of the status, for the ids of events: a dispute may be opened and lost again.
  add column version integer not null default 1,
  -- The status is an operator's word, not the rail's.
  add column closed_by_operator boolean not null default false;

alter table orphaned_charges
  -- How often a cancelled charge was found approved again, for the ids of events.
  add column reopened integer not null default 0;

-- A dispute's news may name the payment by the processor's id of it.
alter table rail_news add column rail_reference text;

update subscriptions s set charging_stopped_at = service_clock()
from disputes d join merchants m on m.id = d.merchant_id
where d.subscription_id = s.id and d.status = 'lost' and s.cancel_at_period_end and not m.renew_after_lost_dispute;

update disputes d set closed_by_operator = true
from audit_log a where a.action = 'dispute.close' and a.subject_id = d.id;
