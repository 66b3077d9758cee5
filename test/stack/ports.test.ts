import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  choosePorts,
  freeLowPorts,
  freePort,
  freePorts,
  releasePorts,
} from '../../sandbox/stack/core/ports.ts';

let claimsDir: string;
let notes: string[];
const note = (line: string) => notes.push(line);
const servers: Server[] = [];

beforeEach(async () => {
  notes = [];
  claimsDir = await mkdtemp(join(tmpdir(), 'ports-'));
});
afterEach(async () => {
  for (const server of servers.splice(0)) server.close();
  await rm(claimsDir, { recursive: true });
});

async function takenPort(): Promise<number> {
  const port = await freePort();
  const server = createServer().listen(port, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return port;
}

describe('choosing ports', () => {
  test('takes a port from the environment', async () => {
    const asked = await freePort();
    const { shop } = await choosePorts({ env: { SHOP_PORT: `${asked}` }, lastTime: {}, claimsDir, note });
    expect(shop).toBe(asked);
  });

  test('rejects a port from the environment that is in use', async () => {
    const env = { API_PORT: `${await takenPort()}` };
    const choosing = choosePorts({ env, lastTime: {}, claimsDir, note });
    await expect(choosing).rejects.toThrow(`API_PORT=${env.API_PORT}: that port is taken. Set another port`);
    await expect(choosing).rejects.toThrow(`\`lsof -i :${env.API_PORT}\``);
  });

  test('rejects an invalid port', async () => {
    const choosing = choosePorts({ env: { RAIL_PORT: '70000' }, lastTime: {}, claimsDir, note });
    await expect(choosing).rejects.toThrow('RAIL_PORT=70000 is not a port');
  });

  test('reuses the last run’s ports, so that addresses stay the same', async () => {
    const lastTime = { api: await freePort(), shop: await freePort() };
    expect(await choosePorts({ env: {}, lastTime, claimsDir, note })).toMatchObject(lastTime);
  });

  test('skips a port of the last run that is in use', async () => {
    const lastTime = { api: await takenPort() };
    const { api } = await choosePorts({ env: {}, lastTime, claimsDir, note });
    expect(api).not.toBe(lastTime.api);
    expect(notes.filter((line) => line.includes('API_PORT'))).toEqual([
      expect.stringMatching(`^Port ${lastTime.api} is taken, so API_PORT is ${api} in this run. \`lsof -i :`),
    ]);
  });

  test('chooses different ports for concurrent runs', async () => {
    const [one, other] = await Promise.all([
      choosePorts({ env: {}, lastTime: {}, claimsDir, note }),
      choosePorts({ env: {}, lastTime: {}, claimsDir, note }),
    ]);
    const ports = [...Object.values(one), ...Object.values(other)];
    expect(new Set(ports).size).toBe(ports.length);
  });

  test('reuses ports claimed under its own process id before a container restarted', async () => {
    const lastTime = await freePorts();
    for (const port of Object.values(lastTime)) await writeFile(join(claimsDir, `${port}`), `${process.pid}`);
    expect(await choosePorts({ env: {}, lastTime, claimsDir, note })).toEqual(lastTime);
  });

  test('reuses released ports and those claimed by a dead process', async () => {
    // Not the usual ports, because other stacks may be choosing from them at the same time.
    const lastTime = await freePorts();
    const choose = () => choosePorts({ env: {}, lastTime, claimsDir, note });
    expect(await choose()).toEqual(lastTime);
    await releasePorts(lastTime, claimsDir);
    expect(await choose()).toEqual(lastTime);

    const deadPid = 2 ** 30;
    for (const port of Object.values(lastTime)) await writeFile(join(claimsDir, `${port}`), `${deadPid}`);
    expect(await choose()).toEqual(lastTime);
    expect(await readFile(join(claimsDir, `${lastTime.api}`), 'utf8')).toBe(`${process.pid}`);
  });
});

test('ports for programs that bind them later are distinct, and below the ephemeral range', async () => {
  const asked = Array.from({ length: 40 }, () => freeLowPorts(10));
  const ports = (await Promise.all(asked)).flat();
  expect(new Set(ports).size).toBe(400);
  expect(Math.max(...ports)).toBeLessThan(32_768);
});
