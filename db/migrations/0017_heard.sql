-- Up Migration
-- What was asked or signalled is remembered, so that it outlives the message.

alter table payments
  -- The buyer gave this attempt up. The rail is asked to end it until it answers.
  add column cancel_requested_at timestamptz;

alter table rail_news
  -- When the sweep told the judge of a payment whose session is over; from then on its own schedule counts.
  add column presented_at timestamptz;
