import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { freePort } from '../../sandbox/stack/core/ports.ts';
import { ensureDatabase, type Postgres, startPostgres } from '../../sandbox/stack/postgres/postgres.ts';
import { pidsWith } from '../../sandbox/stack/process/leftovers.ts';

let dir: string;
let dataDir: string;
const running: Postgres[] = [];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'pg-'));
  dataDir = join(dir, 'postgres');
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((postgres) => postgres.part.stop()));
  await rm(dir, { recursive: true });
});

async function start(): Promise<Postgres> {
  const postgres = await startPostgres({ dataDir, port: await freePort(), password: 'secret' });
  running.push(postgres);
  return postgres;
}

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

describe('the local PostgreSQL', () => {
  test('keeps its data across a stop and a SIGKILL of all processes', async () => {
    const first = await start();
    expect(await ensureDatabase(first, 'shop')).toBe(true);
    await query(first.url('shop'), 'create table kept as select 1 as n');
    expect(await first.part.stop()).toEqual({ code: 0, signal: null });

    const second = await start();
    expect(await ensureDatabase(second, 'shop')).toBe(false);
    await query(second.url('shop'), 'insert into kept values (2)');
    for (const pid of [second.part.pid, ...pidsWith(`-D ${dataDir} `)]) process.kill(pid, 'SIGKILL');
    await second.part.exited;

    const third = await start();
    expect(await query(third.url('shop'), 'select n from kept order by n')).toEqual([{ n: 1 }, { n: 2 }]);
  });

  test('ends an earlier run’s server on the same data directory', async () => {
    const { part } = await start();
    const [orphan] = pidsWith(`-D ${dataDir} `);
    process.kill(part.pid, 'SIGSTOP');
    const next = await start();
    expect(pidsWith(`-D ${dataDir} `)).not.toContain(orphan);
    expect(await query(next.url('postgres'), 'select 1 as one')).toEqual([{ one: 1 }]);
    process.kill(part.pid, 'SIGKILL');
  });

  test('ignores a lock file whose process id now belongs to another program', async () => {
    const first = await start();
    await first.part.stop();
    await writeFile(join(dataDir, 'postmaster.pid'), `${process.pid}\n${dataDir}\n`);
    await start();
    expect(await readFile(join(dataDir, 'postmaster.pid'), 'utf8')).not.toMatch(`${process.pid}\n`);
  });

  test('starts over after an interrupted initialisation', async () => {
    await mkdir(join(`${dataDir}.unfinished`, 'base'), { recursive: true });
    const { url } = await start();
    expect(await query(url('postgres'), 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('runs inside a directory that other users cannot enter', async () => {
    await chmod(dir, 0o700);
    const { url } = await start();
    expect(await query(url('postgres'), 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('rejects a wrong password', async () => {
    const { url } = await start();
    const wrong = url('postgres').replace('secret', 'guess');
    await expect(query(wrong, 'select 1')).rejects.toThrow('password authentication failed');
  });

  test('reports why it cannot start', async () => {
    const first = await start();
    await first.part.stop();
    await writeFile(join(dataDir, 'postgresql.conf'), 'no_such_setting = 1\n');
    await expect(start()).rejects.toThrow('no_such_setting');
  });
});
