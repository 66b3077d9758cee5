import type { Part } from '../../sandbox/stack/process/part.ts';

/** Started by the global setup and ended by the teardown. */
export const running: Part[] = [];
