/** The `pruneEvents` workflow as seen from outside; its Schedule starts it daily. */
export const PRUNE_EVENTS_WORKFLOW = 'pruneEvents';
export const PRUNE_EVENTS_SCHEDULE_ID = 'prune-events';
