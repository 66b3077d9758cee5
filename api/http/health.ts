/**
 * GET /healthz: 200 if requests can be served, 503 without PostgreSQL. An unreachable Temporal is reported, but does
 * not make the API unready, because a load balancer would then remove it although sessions can still be created.
 */
import express, { type RequestHandler } from 'express';
import { health } from '../../contract/core/health.ts';
import type { DescribedOperation } from '../../contract/core/operation.ts';
import { sql } from '../../db/core/pool.ts';
import type { ApiContext } from './context.ts';
import { exchangeOf } from './exchange.ts';
import type { Route } from './route.ts';

const TIMEOUT_MS = 1_000;
/** Unauthenticated, so the result is cached for a second. */
const KEPT_MS = 1_000;

export function healthRoute(context: ApiContext): Route {
  return { method: 'get', path: '/healthz', handlers: [showHealth(context)], describe };
}

/** Serves an orchestrator's probes: `/livez` only shows that the process responds, `/readyz` equals `/healthz`. */
export function probes(context: ApiContext): RequestHandler {
  const isAlive: RequestHandler = (_request, response) => void response.json({ status: 'ok' });
  return express.Router().get('/livez', isAlive).get('/readyz', showHealth(context));
}

function showHealth({ pool, temporal }: ApiContext): RequestHandler {
  let last: { readonly at: number; readonly found: Promise<readonly [boolean, boolean]> } | undefined;

  function look(): Promise<readonly [boolean, boolean]> {
    const now = performance.now();
    if (last && now - last.at < KEPT_MS) return last.found;
    const found = Promise.all([
      answers(pool.query(sql.typeAlias('void')`select 1`)),
      answers(
        temporal.withDeadline(Date.now() + TIMEOUT_MS, () => temporal.workflowService.getSystemInfo({})),
      ),
    ]);
    last = { at: now, found };
    return found;
  }

  return async (_request, response) => {
    const [postgres, temporalServer] = await look();
    response.status(postgres ? 200 : 503).json({
      status: postgres && temporalServer ? 'ok' : postgres ? 'degraded' : 'unavailable',
      postgres: postgres ? 'ok' : 'unreachable',
      temporal: temporalServer ? 'ok' : 'unreachable',
      request_id: exchangeOf(response).requestId,
    });
  };
}

function answers(work: Promise<unknown>): Promise<boolean> {
  const late = new Promise<boolean>((resolve) => setTimeout(resolve, TIMEOUT_MS, false).unref());
  const inTime = work.then(
    () => true,
    () => false,
  );
  return Promise.race([inTime, late]);
}

const example = { status: 'ok', postgres: 'ok', temporal: 'ok' };

const describe: DescribedOperation = {
  operationId: 'showHealth',
  tag: 'Operation',
  summary: 'Readiness of the API',
  description:
    'Without Temporal the API is `degraded` but ready: sessions are created, and start when Temporal is back.',
  security: 'none',
  answers: {
    200: { description: 'Ready.', schema: health, example },
    503: {
      description: 'Not ready: PostgreSQL is unreachable.',
      schema: health,
      example: { ...example, status: 'unavailable', postgres: 'unreachable' },
    },
  },
};
