import type { Part } from '../../sandbox/stack/process/part.ts';

/** What the global setup started and the teardown ends. */
export const running: Part[] = [];
