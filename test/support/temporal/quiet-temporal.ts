/** Imported for its effect, before the first worker of a process: Temporal logs only what went wrong. */
import { DefaultLogger, Runtime } from '@temporalio/worker';

Runtime.install({ logger: new DefaultLogger('ERROR') });
