/** The sandbox rail's process: logs JSON lines and exits on SIGTERM or with its parent. */
import { createLogger } from '../../platform/observability/logger.ts';
import { closeOnSignal, exitWithParent } from '../lifecycle.ts';
import { readConfig } from './config.ts';
import { startSandboxRail } from './server.ts';

const { logLevel, ...config } = readConfig(process.env);
const log = createLogger({ name: 'sandbox-rail', level: logLevel });

exitWithParent();

// Node's warnings go into the JSON log too.
process.removeAllListeners('warning');
process.on('warning', ({ name, message }) => log.debug({ warning: name }, message));

const starting = startSandboxRail({ ...config, log });

// Registered before the rail is ready, since a signal without a handler kills the process.
closeOnSignal(async (signal) => {
  log.info({ signal }, 'sandbox rail stopping');
  await (await starting).close();
});
await starting;
