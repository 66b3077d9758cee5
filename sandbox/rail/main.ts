/** The sandbox rail as a process: logs JSON lines, ends on SIGTERM, and with its parent. */
import { pino } from 'pino';
import { closeOnSignal, exitWithParent } from '../lifecycle.ts';
import { readConfig } from './config.ts';
import { startSandboxRail } from './server.ts';

const { logLevel, ...config } = readConfig(process.env);
const log = pino({ name: 'sandbox-rail', level: logLevel });

exitWithParent();

// Warnings of the runtime belong into the log, as lines of JSON like the rest.
process.removeAllListeners('warning');
process.on('warning', ({ name, message }) => log.debug({ warning: name }, message));

const rail = await startSandboxRail({ ...config, log });

closeOnSignal((signal) => {
  log.info({ signal }, 'sandbox rail ends');
  return rail.close();
});
