/** Imported for its effect, once per test file and before its first worker: Temporal logs only what went wrong. */
import { DefaultLogger, Runtime } from '@temporalio/worker';

Runtime.install({ logger: new DefaultLogger('ERROR') });
