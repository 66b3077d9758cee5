/** Errors of Temporal while a workflow closes or the server is busy are not the client's fault. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { ServiceError } from '@temporalio/client';
import express from 'express';
import { pino } from 'pino';
import { answerErrors } from '../../../api/http/errors.ts';
import { logRequests } from '../../../api/http/request-log.ts';

/** The error that the SDK builds from the server's response. */
function answered(code: number): ServiceError {
  return new ServiceError('Workflow Update failed', {
    cause: Object.assign(new Error('from the server'), { code, details: 'details', metadata: {} }),
  });
}

test.each([
  ['CANCELLED', 1, 503],
  ['UNKNOWN', 2, 503],
  ['INVALID_ARGUMENT', 3, 500],
  ['DEADLINE_EXCEEDED', 4, 503],
  ['PERMISSION_DENIED', 7, 500],
  ['RESOURCE_EXHAUSTED', 8, 503],
  ['ABORTED: an update of a workflow that is closing', 10, 503],
  ['INTERNAL: a broken connection', 13, 503],
  ['UNAVAILABLE', 14, 503],
])('the gRPC status %s (%i) is answered with %i', async (_name, code, status) => {
  const logger = pino({ level: 'silent' });
  const app = express()
    .use(logRequests(logger))
    .get('/', () => {
      throw answered(code);
    })
    .use(answerErrors(logger));
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    expect(response.status).toBe(status);
    expect(response.headers.has('retry-after')).toBe(status === 503);
  } finally {
    server.close();
    server.closeAllConnections();
  }
});
