-- Requests that are limited across all API processes, counted per window. Unlogged: a crash forgets a minute's counts.
create unlogged table request_counts (
  -- A hash: addresses are personal data.
  key text primary key,
  requests integer not null,
  window_ends_at timestamptz not null
) with (fillfactor = 50);
