/** graphile-worker sending the same request: one job per delivery, unbatched, concurrency 16. */
import { run } from 'graphile-worker';
import { onOrder, report, setting } from './child.ts';
import { sendSigned } from './send-signed.ts';

const quiet = { error: console.error, warn: console.warn, info() {}, debug() {} };
const { Logger } = await import('graphile-worker');
const runner = await run({
  connectionString: setting().databaseUrl,
  concurrency: 16,
  maxPoolSize: 20,
  noHandleSignals: true,
  logger: new Logger(() => (level, message) => {
    if (level === 'error' || level === 'warning') quiet.error(message);
  }),
  taskList: {
    deliver: (payload) => {
      const { eventId, body } = payload as { eventId: string; body: string };
      return sendSigned(eventId, body);
    },
  },
});
onOrder(async ({ kind }) => {
  if (kind !== 'stop') return;
  await runner.stop();
  report({ kind: 'stopped' });
});
report({ kind: 'ready' });
