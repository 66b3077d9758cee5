/** The upper bound: signs and sends as fast as it can, without database, retries and records. */
import { onOrder, report } from './child.ts';
import { sendSigned } from './send-signed.ts';

const CONCURRENCY = 16;
const body = process.env.BENCH_BODY ?? '{}';
const count = Number(process.env.BENCH_COUNT);

onOrder(async ({ kind }) => {
  if (kind !== 'start') return;
  let sent = 0;
  const startedAt = performance.now();
  const lane = async () => {
    while (sent < count) {
      sent += 1;
      await sendSigned(`evt_${sent}`, body);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, lane));
  report({ kind: 'stopped', sent, seconds: (performance.now() - startedAt) / 1_000 });
});
report({ kind: 'ready' });
