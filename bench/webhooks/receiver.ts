/** The merchants' endpoints: answer 200 at once and record each event's arrival; `/hanging` never answers. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onOrder, report } from './child.ts';
import { type Arrival, nowMs } from './messages.ts';

let arrivals: Arrival[] = [];

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    if (request.url === '/hanging') return;
    arrivals.push({ eventId: String(request.headers['service-event-id']), atMs: nowMs() });
    response.writeHead(200, { 'content-length': 2 }).end('ok');
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => report({ kind: 'ready', port: (server.address() as AddressInfo).port }));

onOrder(({ kind }) => {
  if (kind === 'forget') arrivals = [];
  if (kind === 'report') report({ kind: 'arrivals', arrivals });
});
