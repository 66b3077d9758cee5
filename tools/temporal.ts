/**
 * Gets the Temporal programs for the tests, in parallel with other work (`.ci/run`): where Go builds them, it takes
 * minutes.
 */
import { cacheDir } from '../sandbox/stack/core/directories.ts';
import { createProgress } from '../sandbox/stack/core/progress.ts';
import { findTemporal } from '../sandbox/stack/temporal/temporal-binary.ts';
import { findTemporalServer } from '../sandbox/stack/temporal/temporal-server-binary.ts';

const { env } = process;
const options = { env, cacheDir: cacheDir(env), progress: createProgress((line) => console.error(line)) };
await findTemporal(options);
await findTemporalServer(options);
