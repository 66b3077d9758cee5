/** The sweep: its workflow and its Schedule. */
export const SWEEP_WORKFLOW = 'sweep';
export const SWEEP_SCHEDULE_ID = 'sweep';
