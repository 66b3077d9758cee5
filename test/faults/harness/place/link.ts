/** A TCP connection between two parts that can be cut, frozen, slowed, and made to repeat its data. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** Limits the delay, so that a large chunk on a narrow connection does not outlast the fault for long. */
const LONGEST_WAIT_MS = 5_000;

/** Forwards each connection to the next of its targets that accepts it. */
export class Link {
  readonly name: string;
  readonly #targets: readonly number[];
  readonly #server = createServer({ allowHalfOpen: true }, (client) => void this.#accept(client));
  readonly #sockets = new Set<Socket>();
  readonly #shadows = new Set<Socket>();
  #turn = 0;
  #isCut = false;
  #isDoubled = false;
  #delayMs = 0;
  #bytesPerSecond = Number.POSITIVE_INFINITY;
  #thawed: PromiseWithResolvers<void> | undefined;

  /** @param targets ports on the loopback address */
  constructor(name: string, targets: readonly number[]) {
    this.name = name;
    this.#targets = targets;
  }

  async open(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Breaks every connection and refuses new ones. */
  cut(): void {
    this.#isCut = true;
    this.#breakAll();
  }

  /** Holds all bytes back; connections stay open, as in a network partition. */
  freeze(): void {
    this.#thawed ??= Promise.withResolvers();
  }

  /** Delays each chunk, in order. */
  slow(delayMs: number): void {
    this.#delayMs = delayMs;
  }

  /** Limits the throughput of each connection, in bytes per second. */
  throttle(bytesPerSecond: number): void {
    this.#bytesPerSecond = bytesPerSecond;
  }

  /**
   * Ends every connection. On new ones, the client's data reaches the target twice, the second time over a connection
   * whose responses are discarded, as when a proxy repeats a request. Use `heal` on all of them to end it.
   */
  duplicate(): void {
    this.#isDoubled = true;
    this.#breakAll();
  }

  heal(): void {
    this.#isCut = false;
    this.#isDoubled = false;
    this.#delayMs = 0;
    this.#bytesPerSecond = Number.POSITIVE_INFINITY;
    this.#thawed?.resolve();
    this.#thawed = undefined;
    for (const shadow of this.#shadows) shadow.destroy();
  }

  async close(): Promise<void> {
    this.heal();
    this.#breakAll();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #accept(client: Socket): Promise<void> {
    this.#keep(client);
    if (this.#isCut) return void client.destroy();
    const [target, shadow] = await Promise.all([
      this.#reach(this.#targets.length),
      this.#isDoubled ? this.#reach(this.#targets.length) : undefined,
    ]);
    for (const each of [target, shadow]) if (each) this.#keep(each);
    if (!target || client.destroyed) {
      for (const each of [client, target, shadow]) each?.destroy();
      return;
    }
    if (shadow) {
      this.#shadows.add(shadow);
      shadow.on('close', () => this.#shadows.delete(shadow)).resume();
    }
    void this.#pass(client, target, shadow);
    void this.#pass(target, client);
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => {});
    socket.on('close', () => this.#sockets.delete(socket));
  }

  async #reach(tries: number): Promise<Socket | undefined> {
    if (tries === 0) return undefined;
    this.#turn += 1;
    const port = this.#targets[this.#turn % this.#targets.length] ?? 0;
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    try {
      await once(socket, 'connect');
      return socket;
    } catch {
      socket.destroy();
      return this.#reach(tries - 1);
    }
  }

  async #pass(from: Socket, to: Socket, shadow?: Socket): Promise<void> {
    try {
      for await (const piece of from.iterator({ destroyOnReturn: false })) {
        const waitMs =
          this.#delayMs + Math.min((1_000 * piece.length) / this.#bytesPerSecond, LONGEST_WAIT_MS);
        if (waitMs >= 1) await pause(waitMs);
        await this.#thawed?.promise;
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
  }

  #breakAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** The links of one run, in the order in which they were opened. */
export class Links {
  readonly all: Link[] = [];
  readonly #onOpen: (link: Link) => void;

  constructor(onOpen: (link: Link) => void) {
    this.#onOpen = onOpen;
  }

  /** @returns a port that forwards each connection to the next of these targets that accepts it */
  async to(name: string, ...targets: readonly number[]): Promise<number> {
    const link = new Link(name, targets);
    await link.open();
    this.all.push(link);
    this.#onOpen(link);
    return link.port;
  }

  /** @returns the same address, through a new link */
  async through(name: string, url: string): Promise<string> {
    return withPort(url, await this.to(name, Number(new URL(url).port)));
  }
}

export function withPort(url: string, port: number): string {
  const changed = new URL(url);
  changed.port = `${port}`;
  return changed.href;
}
