/** Chooses ports: from the environment, otherwise the last run's if still free, otherwise the first free ones. */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';

/** Where the search for a free port begins, and the variable that overrides it. */
const PORTS = {
  shop: { first: 3_000, variable: 'SHOP_PORT' },
  api: { first: 8_080, variable: 'API_PORT' },
  rail: { first: 4_000, variable: 'RAIL_PORT' },
  identity: { first: 5_556, variable: 'IDENTITY_PORT' },
  worker: { first: 9_090, variable: 'WORKER_HEALTH_PORT' },
  apiMetrics: { first: 9_464, variable: 'API_METRICS_PORT' },
  workerMetrics: { first: 9_664, variable: 'WORKER_METRICS_PORT' },
  observe: { first: 3_100, variable: 'OBSERVE_PORT' },
  prometheus: { first: 9_864, variable: 'PROMETHEUS_PORT' },
  temporal: { first: 7_233, variable: 'TEMPORAL_PORT' },
  temporalUi: { first: 8_233, variable: 'TEMPORAL_UI_PORT' },
  postgres: { first: 5_432, variable: 'POSTGRES_PORT' },
} as const;
const SEARCHED = 200;

type PortName = keyof typeof PORTS;
export type Ports = Record<PortName, number>;

export interface PortWishes {
  readonly env: NodeJS.ProcessEnv;
  readonly lastTime: Partial<Ports>;
  /** Shared by all working copies of a user: two concurrent starts never choose the same port. */
  readonly claimsDir: string;
  /** Called with a sentence for each port that is neither the last run's nor the default. */
  readonly note: (line: string) => void;
}

/** @throws Error if a port from the environment is bound, or claimed by another start */
export async function choosePorts({ env, lastTime, claimsDir, note }: PortWishes): Promise<Ports> {
  await mkdir(claimsDir, { recursive: true });
  const claim = async (port: number) => (await isFree(port)) && (await claimed(join(claimsDir, `${port}`)));

  const ports: Partial<Ports> = {};
  for (const name of Object.keys(PORTS) as PortName[]) {
    const { first, variable } = PORTS[name];
    const asked = env[variable];
    if (asked) {
      ports[name] = parsePort(variable, asked);
      if (!(await claim(ports[name])))
        throw new Error(`${variable}=${asked}: that port is taken. Set another port, or unset it to use a free one.
${holderOf(asked)}`);
    } else {
      const port = await firstOf(candidates(first, lastTime[name]), claim);
      const wanted = lastTime[name] ?? first;
      if (port !== wanted)
        note(`Port ${wanted} is taken, so ${variable} is ${port} in this run. ${holderOf(wanted)}`);
      ports[name] = port;
    }
  }
  return ports as Ports;
}

export async function releasePorts(ports: Ports, claimsDir: string): Promise<void> {
  const files = Object.values(ports).map((port) => join(claimsDir, `${port}`));
  for (const file of files) claimedHere.delete(file);
  await Promise.all(files.map((file) => rm(file, { force: true })));
}

/** Any free port that `freeLowPorts` would choose. */
export async function freePort(): Promise<number> {
  const [port = 0] = await freeLowPorts(1);
  return port;
}

/** Any free port for each name, for tests. */
export async function freePorts(): Promise<Ports> {
  const names = Object.keys(PORTS) as PortName[];
  const ports = await freeLowPorts(names.length);
  return Object.fromEntries(names.map((name, n) => [name, ports[n]])) as Ports;
}

const given = new Set<number>();

/**
 * Free ports below 32,768, none of them twice in a process, for programs that bind them some seconds later:
 * no outgoing connection takes one in between. Temporal stores its membership ports as `smallint`.
 */
export async function freeLowPorts(count: number): Promise<number[]> {
  const found: number[] = [];
  while (found.length < count) {
    const port = randomInt(20_000, 32_768);
    if (given.has(port)) continue;
    given.add(port);
    if (await isFree(port)) found.push(port);
  }
  return found;
}

const holderOf = (port: number | string) =>
  `\`lsof -i :${port}\` or \`ss -ltnp 'sport = :${port}'\` names the program that holds it.`;

function* candidates(first: number, lastTime: number | undefined): Generator<number> {
  if (lastTime !== undefined) yield lastTime;
  for (let port = first; port < first + SEARCHED; port++) yield port;
}

async function firstOf(ports: Iterable<number>, claim: (port: number) => Promise<boolean>): Promise<number> {
  let last = 0;
  for (const port of ports) {
    if (await claim(port)) return port;
    last = port;
  }
  throw new Error(`No free port up to ${last}.`);
}

function parsePort(variable: string, text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Error(`${variable}=${text} is not a port.`);
  return port;
}

/** Another program may listen on the loopback address or on all addresses. */
async function isFree(port: number): Promise<boolean> {
  return (await canListen(port, '127.0.0.1')) && (await canListen(port));
}

async function canListen(port: number, host?: string): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}

/** Files of this process. A restarted container repeats process ids: our own in another file is an earlier boot's. */
const claimedHere = new Set<string>();

/** The file contains the claiming process's id; a dead process's claim is void. */
async function claimed(file: string): Promise<boolean> {
  const had = claimedHere.has(file);
  claimedHere.add(file);
  try {
    await writeFile(file, `${process.pid}`, { flag: 'wx' });
    return true;
  } catch {
    const holder = Number(await readFile(file, 'utf8').catch(() => ''));
    if (holder === process.pid ? had : isAlive(holder)) {
      if (!had) claimedHere.delete(file);
      return false;
    }
    await writeFile(file, `${process.pid}`);
    return true;
  }
}

function isAlive(pid: number): boolean {
  if (!pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
