/**
 * The stack of `npm run stack -- --temporal=postgres` in a temporary folder, with a merchant's server that buys on it.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { prepareDatabase } from '../../../bin/prepare-database.ts';
import { cacheDir } from '../../../sandbox/stack/core/directories.ts';
import { freePort } from '../../../sandbox/stack/core/ports.ts';
import type { DevJson } from '../../../sandbox/stack/dev-json.ts';
import { untilHealthy } from '../../../sandbox/stack/process/health.ts';
import type { Part, PartSpec } from '../../../sandbox/stack/process/part.ts';
import { createSupervisor, type Supervisor } from '../../../sandbox/stack/process/supervise.ts';
import type { HowMany } from '../../../sandbox/stack/replicas.ts';
import { createStack } from '../../../sandbox/stack/stack.ts';
import { ownPorts } from '../../support/stack/own-ports.ts';
import { type Sales, salesOn } from './distributed-sales.ts';

const FAST_AND_FORGETFUL = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
const TIMEOUT_MS = 60_000;

export interface DistributedStack extends Sales {
  readonly dev: DevJson;
  readonly processes: NonNullable<DevJson['processes']>;
  part(name: string): Part;
  /** Starts another process of the same kind on other ports; resolves when its health check answers. */
  startLike(part: string, name: string, env?: NodeJS.ProcessEnv): Promise<Part>;
  /** One API after the other is replaced by another process, as a rolling deploy does. */
  replaceApis(): Promise<void>;
  stop(): Promise<void>;
}

/** @param env for every part */
export async function startDistributed(
  howMany: HowMany,
  env: NodeJS.ProcessEnv = {},
): Promise<DistributedStack> {
  const localDir = await mkdtemp(join(tmpdir(), 'checkout-distributed-'));
  const parts = keepParts(createSupervisor({ logsDir: join(localDir, 'logs'), onProblem: () => {} }), env);
  const stack = createStack({
    env: await ownPorts(),
    localDir,
    cacheDir: cacheDir(process.env),
    progress: { step: (_what, work) => work(), note: () => {} },
    supervisor: parts.supervisor,
    prepareDatabase,
    temporalOnPostgres: true,
    howMany,
    postgresSettings: { ...FAST_AND_FORGETFUL, max_connections: '400' },
  });
  const stop = async () => {
    await stack.stop();
    await rm(localDir, { recursive: true, force: true });
  };
  const dev = await stack.start().catch(async (error) => {
    await stop();
    throw error;
  });
  let apis = parts.names().filter((name) => name.startsWith('api'));
  return {
    dev,
    processes: dev.processes as NonNullable<DevJson['processes']>,
    ...salesOn(dev),
    part: parts.part,
    startLike: parts.startLike,
    async replaceApis() {
      for (const old of apis) {
        const name = `${old}-next`;
        await parts.startLike(old, name);
        apis = apis.map((each) => (each === old ? name : each));
        stack.front()?.use(apis.map(parts.apiPortOf));
        if (parts.part(old).isRunning()) expect((await parts.part(old).stop()).code).toBe(0);
      }
    },
    stop,
  };
}

/**
 * Records the processes that the supervisor starts, so that a test can kill a part and start others like it.
 */
function keepParts(supervisor: Supervisor, env: NodeJS.ProcessEnv) {
  const parts = new Map<string, Part>();
  const specs = new Map<string, PartSpec>();
  const keep = (part: Part) => {
    parts.set(part.name, part);
    return part;
  };
  const startPart = (spec: PartSpec) => {
    const withEnv = { ...spec, env: { ...env, ...spec.env } };
    specs.set(spec.name, withEnv);
    return keep(supervisor.startPart(withEnv));
  };
  const found = <Value>(map: ReadonlyMap<string, Value>, name: string) => {
    const value = map.get(name);
    if (!value) throw new Error(`there is no part ${name}`);
    return value;
  };
  return {
    supervisor: {
      ...supervisor,
      startPart,
      startProgram: (program: Parameters<Supervisor['startProgram']>[0]) =>
        keep(supervisor.startProgram(program)),
    },
    names: () => [...specs.keys()],
    part: (name: string) => found(parts, name),
    apiPortOf: (name: string) => Number(found(specs, name).env?.API_PORT),
    async startLike(part: string, name: string, more: NodeJS.ProcessEnv = {}): Promise<Part> {
      const spec = found(specs, part);
      const ports = Object.keys(spec.env ?? {}).filter((key) => /^(API|WORKER)_\w*PORT$/.test(key));
      const own = Object.fromEntries(
        await Promise.all(ports.map(async (key) => [key, `${await freePort()}`])),
      );
      const started = startPart({ ...spec, name, env: { ...spec.env, ...own, ...more } });
      const port = own.API_PORT ?? own.WORKER_HEALTH_PORT;
      await untilHealthy(started, `http://127.0.0.1:${port}/healthz`, TIMEOUT_MS);
      return started;
    },
  };
}
