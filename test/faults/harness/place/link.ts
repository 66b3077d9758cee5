/** A TCP connection between two parts that can be cut, frozen, slowed, and made to repeat what it carries. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** A large piece on a narrow connection must not outlast the fault for long. */
const LONGEST_WAIT_MS = 5_000;

export interface Link {
  readonly name: string;
  readonly port: number;
  /** Breaks every connection and refuses new ones. */
  cut(): void;
  /** Holds all bytes back; connections stay open, as in a partition. */
  freeze(): void;
  /** Delays each piece, in order. */
  slow(delayMs: number): void;
  /** Passes so many bytes a second on each connection. */
  throttle(bytesPerSecond: number): void;
  /**
   * Ends every connection. On new ones, what a client sends reaches the target twice, the second time over a connection
   * whose answers are thrown away, as when a proxy repeats a request. Ends with `heal` on all of them.
   */
  duplicate(): void;
  heal(): void;
  close(): Promise<void>;
}

/** @param targets ports on the loopback address; a connection goes to the next one that accepts it */
export async function openLink(name: string, targets: readonly number[], listenOn = 0): Promise<Link> {
  const sockets = new Set<Socket>();
  const shadows = new Set<Socket>();
  let isCut = false;
  let delayMs = 0;
  let bytesPerSecond = Number.POSITIVE_INFINITY;
  let isDoubled = false;
  let thawed: PromiseWithResolvers<void> | undefined;
  let turn = 0;

  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  };
  const pass = async (from: Socket, to: Socket, shadow?: Socket) => {
    try {
      for await (const piece of from.iterator({ destroyOnReturn: false })) {
        const waitMs = delayMs + Math.min((1_000 * piece.length) / bytesPerSecond, LONGEST_WAIT_MS);
        if (waitMs >= 1) await pause(waitMs);
        await thawed?.promise;
        if (to.destroyed) break;
        if (!shadow?.destroyed) shadow?.write(piece);
        if (!to.write(piece)) await Promise.race([once(to, 'drain'), once(to, 'close')]);
      }
      to.end();
      shadow?.end();
    } catch {
      // One side broke the connection.
      to.destroy();
      from.destroy();
      shadow?.destroy();
    }
  };
  const server = createServer({ allowHalfOpen: true }, (client) => {
    keep(client);
    if (isCut) return void client.destroy();
    const both = [reach(targets.length), isDoubled ? reach(targets.length) : undefined];
    void Promise.all(both).then(([target, shadow]) => {
      for (const each of [target, shadow]) if (each) keep(each);
      if (!target || client.destroyed) {
        for (const each of [client, target, shadow]) each?.destroy();
        return;
      }
      if (shadow) {
        shadows.add(shadow);
        shadow.on('close', () => shadows.delete(shadow)).resume();
      }
      void pass(client, target, shadow);
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
    isDoubled = false;
    delayMs = 0;
    bytesPerSecond = Number.POSITIVE_INFINITY;
    thawed?.resolve();
    thawed = undefined;
    for (const shadow of shadows) shadow.destroy();
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
    throttle(rate) {
      bytesPerSecond = rate;
    },
    duplicate() {
      isDoubled = true;
      breakAll();
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
