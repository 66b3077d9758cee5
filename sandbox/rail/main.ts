/** The sandbox rail as a process: logs JSON lines, ends on SIGTERM, and with its parent. */
import { pino } from 'pino';
import { readConfig } from './config.ts';
import { startSandboxRail } from './server.ts';

const { logLevel, ...config } = readConfig(process.env);
const log = pino({ name: 'sandbox-rail', level: logLevel });

// Standard input is a pipe that the parent holds: the operating system closes it when the parent is gone.
if (process.env.EXIT_WITH_PARENT === '1') {
  const exit = () => process.exit(1);
  process.stdin.on('end', exit).on('close', exit).on('error', exit).resume();
}

// Warnings of the runtime belong into the log, as lines of JSON like the rest.
process.removeAllListeners('warning');
process.on('warning', ({ name, message }) => log.debug({ warning: name }, message));

const rail = await startSandboxRail({ ...config, log });

async function end(signal: NodeJS.Signals): Promise<void> {
  log.info({ signal }, 'sandbox rail ends');
  await rail.close();
  process.exit(0);
}
process.once('SIGTERM', end).once('SIGINT', end);
