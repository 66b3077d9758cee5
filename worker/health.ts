/** A worker's health over HTTP. */
import type { RequestListener } from 'node:http';
import type { Client } from '@temporalio/client';

/** Shorter than a probe's time-out. */
const TIMEOUT_MS = 2_000;

/** `/livez` stays 200 for a worker that is not ready, for example without a database: it must not be killed. */
export function answerHealth(readiness: () => Promise<string | null>): RequestListener {
  return async ({ url }, response) => {
    const problem = url === '/livez' ? null : await readiness();
    response.writeHead(problem ? 503 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(problem ? { status: 'unavailable', problem } : { status: 'ok' }));
  };
}

/** A worker whose clock is more than 30 s off the database's is not ready (rule 19). */
export async function clockProblem(readClock: () => Promise<string>): Promise<string | null> {
  try {
    const offMs = Math.abs(Date.parse(await readClock()) - Date.now());
    return offMs > 30_000
      ? `this machine's clock is ${Math.round(offMs / 1_000)} s off the database's`
      : null;
  } catch {
    return 'no database';
  }
}

/** A worker that cannot reach Temporal gets no tasks, so it is not ready. */
export async function temporalProblem(connection: Client['connection']): Promise<string | null> {
  try {
    const ask = () => connection.workflowService.getSystemInfo({});
    await connection.withDeadline(Date.now() + TIMEOUT_MS, ask);
    return null;
  } catch {
    return 'no Temporal';
  }
}
