import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type Part, startForeignPart, startPart } from '../../sandbox/stack/part.ts';
import { eventually } from '../support/eventually.ts';

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

async function pidToldBy(part: Part): Promise<number> {
  return eventually(() => {
    const pid = Number(/^pid (\d+)$/m.exec(part.lastLines().join('\n'))?.[1]);
    expect(pid).toBeGreaterThan(0);
    return pid;
  });
}

describe('a part', () => {
  it('tells how it ended and what it said last', async () => {
    const part = started(startPart(node('console.log("one"); console.error("two"); process.exit(3)')));
    expect(await part.exited).toEqual({ code: 3, signal: null });
    expect([...part.lastLines()].sort()).toEqual(['one', 'two']);
    expect(part.isRunning()).toBe(false);
  });

  it('that cannot be started ends with code 127 and says why', async () => {
    const part = started(startPart({ name: 'none', command: '/no/such/program', args: [] }));
    expect(await part.exited).toEqual({ code: 127, signal: null });
    expect(part.lastLines().join()).toContain('ENOENT');
  });

  it('that ignores SIGTERM is killed when its time is up', async () => {
    const part = started(startPart({ ...node(STUBBORN), graceMs: 200 }));
    await pidToldBy(part);
    expect(await part.stop()).toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('takes with it what it started, even when it is killed', async () => {
    const child = `const { spawn } = require("node:child_process");
      const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
      console.log("pid", child.pid); setInterval(() => {}, 1000);`;
    const part = started(startPart(node(child)));
    const pid = await pidToldBy(part);
    part.kill('SIGKILL');
    await part.exited;
    await eventually(() => expect(isAlive(pid)).toBe(false));
  });
});

describe('a program on a leash', () => {
  it('ends with the code or the signal of the program', async () => {
    expect(await started(startForeignPart(node('process.exit(4)'))).exited).toEqual({
      code: 4,
      signal: null,
    });
    const killed = started(startForeignPart(node('process.kill(process.pid, "SIGKILL")')));
    expect(await killed.exited).toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('is stopped with the signal that it understands', async () => {
    const script = `process.on("SIGINT", () => { console.log("bye"); process.exit(0); }); ${SLEEPER}`;
    const part = started(startForeignPart({ ...node(script), stopSignal: 'SIGINT' }));
    await pidToldBy(part);
    expect(await part.stop()).toEqual({ code: 0, signal: null });
    expect(part.lastLines()).toContain('bye');
  });

  it('takes with it what nobody needs afterwards, even when it is killed', async () => {
    const removeAfter = await mkdtemp(join(tmpdir(), 'leash-'));
    await writeFile(join(removeAfter, 'file'), '');
    const part = started(startForeignPart({ ...node(SLEEPER), removeAfter }));
    process.kill(await pidToldBy(part), 'SIGKILL');
    await part.exited;
    await eventually(() => expect(existsSync(removeAfter)).toBe(false));
  });

  it('ends when the process that holds the leash is killed with SIGKILL', async () => {
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
