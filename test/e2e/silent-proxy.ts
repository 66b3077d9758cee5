/**
 * The browser's HTTP proxy, which withholds event streams without an error, like antivirus software and dead
 * connections.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The part of an event stream that still arrives. */
type Arrives = 'nothing' | 'headers' | 'everything';

export interface SilentProxy {
  readonly url: string;
  /** For open and later streams. */
  arrives: Arrives;
  close(): void;
}

export async function startSilentProxy(): Promise<SilentProxy> {
  const server = createServer((incoming, outgoing) => forward(incoming, outgoing));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrives: 'everything' as Arrives,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
  return proxy;

  function forward(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { method, headers, url = '' } = incoming;
    const onward = request(url, { method, headers }, (answer) => {
      const isStream = url.includes('/events');
      if (isStream && proxy.arrives === 'nothing') return;
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      outgoing.flushHeaders();
      answer.on('data', (chunk) => (!isStream || proxy.arrives === 'everything') && outgoing.write(chunk));
      answer.on('end', () => (!isStream || proxy.arrives === 'everything') && outgoing.end());
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  }
}
