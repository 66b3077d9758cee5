import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, test } from '@jest/globals';
import { type Part, startForeignPart, startPart } from '../../sandbox/stack/process/part.ts';
import { eventually } from '../support/core/eventually.ts';

const SLEEPER = 'console.log("pid", process.pid); setInterval(() => {}, 1000);';
const STUBBORN = `process.on("SIGTERM", () => {}); ${SLEEPER}`;

const parts: Part[] = [];
afterEach(async () => {
  await Promise.all(parts.splice(0).map((part) => part.stop()));
});

const node = (script: string) => ({ name: 'node', command: process.execPath, args: ['-e', script] });
const started = (part: Part) => {
  parts.push(part);
  return part;
};

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function pidPrintedBy(part: Part): Promise<number> {
  return eventually(() => {
    const pid = Number(/^pid (\d+)$/m.exec(part.lastLines().join('\n'))?.[1]);
    expect(pid).toBeGreaterThan(0);
    return pid;
  });
}

describe('a part', () => {
  test('reports its exit and its last output', async () => {
    const part = started(startPart(node('console.log("one"); console.error("two"); process.exit(3)')));
    expect(await part.exited).toEqual({ code: 3, signal: null });
    expect([...part.lastLines()].sort()).toEqual(['one', 'two']);
    expect(part.isRunning()).toBe(false);
  });

  test('that cannot be started is reported with exit code 127 and the reason', async () => {
    const part = started(startPart({ name: 'none', command: '/no/such/program', args: [] }));
    expect(await part.exited).toEqual({ code: 127, signal: null });
    expect(part.lastLines().join()).toContain('ENOENT');
  });

  test('that ignores SIGTERM is killed after the grace period', async () => {
    const part = started(startPart({ ...node(STUBBORN), graceMs: 200 }));
    await pidPrintedBy(part);
    expect(await part.stop()).toEqual({ code: null, signal: 'SIGKILL' });
  });

  test('ends together with its child processes, even when killed', async () => {
    const child = `const { spawn } = require("node:child_process");
      const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
      console.log("pid", child.pid); setInterval(() => {}, 1000);`;
    const part = started(startPart(node(child)));
    const pid = await pidPrintedBy(part);
    part.kill('SIGKILL');
    await part.exited;
    await eventually(() => expect(isAlive(pid)).toBe(false));
  });
});

describe('a foreign program', () => {
  test('exits with the program’s code or signal', async () => {
    expect(await started(startForeignPart(node('process.exit(4)'))).exited).toEqual({
      code: 4,
      signal: null,
    });
    const killed = started(startForeignPart(node('process.kill(process.pid, "SIGKILL")')));
    expect(await killed.exited).toEqual({ code: null, signal: 'SIGKILL' });
  });

  test('is stopped with its stop signal', async () => {
    const script = `process.on("SIGINT", () => { console.log("bye"); process.exit(0); }); ${SLEEPER}`;
    const part = started(startForeignPart({ ...node(script), stopSignal: 'SIGINT' }));
    await pidPrintedBy(part);
    expect(await part.stop()).toEqual({ code: 0, signal: null });
    expect(part.lastLines()).toContain('bye');
  });

  test('removes its temporary files, even when killed', async () => {
    const removeAfter = await mkdtemp(join(tmpdir(), 'leash-'));
    await writeFile(join(removeAfter, 'file'), '');
    const part = started(startForeignPart({ ...node(SLEEPER), removeAfter }));
    process.kill(await pidPrintedBy(part), 'SIGKILL');
    await part.exited;
    await eventually(() => expect(existsSync(removeAfter)).toBe(false));
  });

  test('exits when its supervisor is killed with SIGKILL', async () => {
    const holder = spawn(process.execPath, [
      new URL('fixtures/holder.ts', import.meta.url).pathname,
      SLEEPER,
    ]);
    const [line] = (await once(createInterface({ input: holder.stdout }), 'line')) as [string];
    const pid = Number(line);
    expect(isAlive(pid)).toBe(true);
    holder.kill('SIGKILL');
    await eventually(() => expect(isAlive(pid)).toBe(false));
  });
});
