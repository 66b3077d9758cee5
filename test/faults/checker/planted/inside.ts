/** Faults planted in histories and logs. */
import { type Copy, first, type Planted } from './copy.ts';

const run = (copy: Copy) => first(copy.runs);

export const INSIDE: readonly Planted[] = [
  [
    'a workflow task that keeps failing',
    'no workflow task keeps failing',
    (copy) => {
      run(copy).taskFailuresInARow = 9;
    },
  ],
  [
    'an activity that keeps failing',
    'no activity keeps failing',
    (copy) => {
      run(copy).pendingAttempts = 40;
    },
  ],
  [
    'a workflow that has failed',
    'no workflow fails',
    (copy) => {
      run(copy).status = 'FAILED';
    },
  ],
  [
    'an email in a history',
    'no personal data or secret in Temporal',
    (copy) => {
      run(copy).payloads += `{"email":"${copy.canaries[0]}"}`;
    },
  ],
  ['a secret in a log', 'no secret in a log', (copy) => void copy.leakingLines.push('{"key":"planted"}')],
];
