-- Until when a call that gives an orphaned charge back may be under way; null before the first.
alter table orphaned_charges add column return_deadline timestamptz;
