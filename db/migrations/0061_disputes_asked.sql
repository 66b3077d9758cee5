-- Up Migration
-- Each round of the sweep looks for disputes to ask about: it read all of them.
create index disputes_to_ask on disputes (asked_at) where status = 'open' or closed_by_operator;
