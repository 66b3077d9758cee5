/** A TCP connection between two parts that can be cut, frozen and slowed. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface Link {
  readonly name: string;
  readonly port: number;
  /** Breaks every connection and refuses new ones. */
  cut(): void;
  /** Holds all bytes back; connections stay open, as in a partition. */
  freeze(): void;
  /** Delays each piece, in order. */
  slow(delayMs: number): void;
  heal(): void;
  close(): Promise<void>;
}

/** @param targets ports on the loopback address; a connection goes to the next one that accepts it */
export async function openLink(name: string, targets: readonly number[], listenOn = 0): Promise<Link> {
  const sockets = new Set<Socket>();
  let isCut = false;
  let delayMs = 0;
  let thawed: PromiseWithResolvers<void> | undefined;
  let turn = 0;

  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  };
  const pass = async (from: Socket, to: Socket) => {
    try {
      for await (const piece of from.iterator({ destroyOnReturn: false })) {
        if (delayMs > 0) await pause(delayMs);
        await thawed?.promise;
        if (to.destroyed) break;
        if (!to.write(piece)) await Promise.race([once(to, 'drain'), once(to, 'close')]);
      }
      to.end();
    } catch {
      // One side broke the connection.
      to.destroy();
      from.destroy();
    }
  };
  const server = createServer({ allowHalfOpen: true }, (client) => {
    keep(client);
    if (isCut) return void client.destroy();
    void reach(targets.length).then((target) => {
      if (target) keep(target);
      if (!target || client.destroyed) {
        client.destroy();
        target?.destroy();
        return;
      }
      void pass(client, target);
      void pass(target, client);
    });
  });
  const reach = async (tries: number): Promise<Socket | undefined> => {
    if (tries === 0) return undefined;
    turn += 1;
    const socket = connect({
      port: targets[turn % targets.length] ?? 0,
      host: '127.0.0.1',
      allowHalfOpen: true,
    });
    try {
      await once(socket, 'connect');
      return socket;
    } catch {
      socket.destroy();
      return reach(tries - 1);
    }
  };
  server.listen(listenOn, '127.0.0.1');
  await once(server, 'listening');

  const heal = () => {
    isCut = false;
    delayMs = 0;
    thawed?.resolve();
    thawed = undefined;
  };
  const breakAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    name,
    port: (server.address() as AddressInfo).port,
    cut() {
      isCut = true;
      breakAll();
    },
    freeze() {
      thawed ??= Promise.withResolvers();
    },
    slow(ms) {
      delayMs = ms;
    },
    heal,
    async close() {
      heal();
      breakAll();
      server.close();
      await once(server, 'close');
    },
  };
}
