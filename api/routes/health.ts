/**
 * GET /healthz: 200 when requests can be served, 503 without PostgreSQL. Temporal's absence is said but does
 * not make the API unready: sessions are still created, and an API that left its load balancer could not.
 */
import type { RequestHandler } from 'express';
import { sql } from '../../db/pool.ts';
import type { ApiContext } from '../context.ts';
import { exchangeOf } from '../exchange.ts';
import type { Route } from '../route.ts';

const PATIENCE_MS = 1_000;

export function healthRoute({ pool, temporal }: ApiContext): Route {
  const answer: RequestHandler = async (_request, response) => {
    const [postgres, temporalServer] = await Promise.all([
      answers(pool.query(sql.unsafe`select 1`)),
      answers(
        temporal.withDeadline(Date.now() + PATIENCE_MS, () => temporal.workflowService.getSystemInfo({})),
      ),
    ]);
    response.status(postgres ? 200 : 503).json({
      status: postgres && temporalServer ? 'ok' : postgres ? 'degraded' : 'unavailable',
      postgres: postgres ? 'ok' : 'unreachable',
      temporal: temporalServer ? 'ok' : 'unreachable',
      request_id: exchangeOf(response).requestId,
    });
  };
  return { method: 'get', path: '/healthz', handlers: [answer] };
}

function answers(work: Promise<unknown>): Promise<boolean> {
  const late = new Promise<boolean>((resolve) => setTimeout(resolve, PATIENCE_MS, false).unref());
  const inTime = work.then(
    () => true,
    () => false,
  );
  return Promise.race([inTime, late]);
}
