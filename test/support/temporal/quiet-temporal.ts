/** Imported for its effect, before the first worker of a process: Temporal then logs only errors. */
import { DefaultLogger, Runtime } from '@temporalio/worker';

Runtime.install({ logger: new DefaultLogger('ERROR') });
