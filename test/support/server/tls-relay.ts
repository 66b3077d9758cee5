/** Terminates TLS in front of a plain server, as at a cluster's ingress; requires client certificates. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { createServer } from 'node:tls';
import { fileURLToPath } from 'node:url';

const certificates = new URL('../../platform/outbound/tls/', import.meta.url);
export const pathOf = (name: string) => fileURLToPath(new URL(name, certificates));

export interface TlsRelay {
  /** `host:port`, with the host name of its certificate. */
  readonly address: string;
  /** Returns the number of connections that were let through. */
  readonly accepted: () => number;
  close(): Promise<void>;
}

/** @param target `host:port` of the plain server */
export async function startTlsRelay(target: string): Promise<TlsRelay> {
  const [host = '', port = ''] = target.split(':');
  let accepted = 0;
  const server = createServer(
    {
      key: readFileSync(pathOf('localhost.key')),
      cert: readFileSync(pathOf('localhost.crt')),
      ca: readFileSync(pathOf('ca.crt')),
      requestCert: true,
      rejectUnauthorized: true,
      ALPNProtocols: ['h2'],
    },
    (socket) => {
      accepted += 1;
      const plain = connect(Number(port), host);
      socket.pipe(plain).pipe(socket);
      for (const end of [socket, plain]) {
        end.on('error', () => {
          socket.destroy();
          plain.destroy();
        });
      }
    },
  );
  const open = new Set<{ destroy(): void }>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `localhost:${(server.address() as AddressInfo).port}`,
    accepted: () => accepted,
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
