/**
 * One address for several API processes, like a load balancer: connections round-robin, skipping an address
 * that refuses. A stopping process no longer listens, and finishes its requests.
 */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface Front {
  /** Sends new connections to these ports; open ones stay where they are. */
  use(ports: readonly number[]): void;
  close(): void;
}

export async function startFront(port: number, behind: readonly number[]): Promise<Front> {
  let ports = behind;
  let turn = 0;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    open.add(client);
    client.on('error', () => {}).on('close', () => open.delete(client));
    turn += 1;
    pass(
      client,
      ports.map((_, index) => ports[(turn + index) % ports.length] as number),
    );
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    use(next) {
      ports = next;
    },
    close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

function pass(client: Socket, [port, ...others]: readonly number[]): void {
  if (port === undefined) return void client.destroy();
  const target = connect(port, '127.0.0.1');
  target.once('error', () => pass(client, others));
  target.once('connect', () => {
    target.removeAllListeners('error').on('error', () => client.destroy());
    client.on('close', () => target.destroy());
    target.on('close', () => client.destroy());
    client.pipe(target).pipe(client);
  });
}
