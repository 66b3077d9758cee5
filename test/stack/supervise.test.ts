import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createSupervisor, describeEnd, type Supervisor } from '../../sandbox/stack/process/supervise.ts';
import { eventually } from '../support/core/eventually.ts';

const LOG = `const log = (level, msg, more) => console.log(JSON.stringify({ level, time: Date.now(), msg, ...more }));`;

let logsDir: string;
let supervisor: Supervisor;
let problems: string[];

beforeEach(async () => {
  logsDir = await mkdtemp(join(tmpdir(), 'logs-'));
  problems = [];
  supervisor = createSupervisor({ logsDir, onProblem: (line) => problems.push(line) });
});
afterEach(async () => {
  await supervisor.stop();
  await rm(logsDir, { recursive: true });
});

const run = (name: string, script: string) =>
  supervisor.startPart({ name, command: process.execPath, args: ['-e', `${LOG} ${script}`] });

describe('the supervisor', () => {
  test('reports which part exited, with its exit code and last output', async () => {
    run('good', 'setInterval(() => {}, 1000)');
    run('bad', 'log(60, "no database", { port: 5432 }); process.exitCode = 3;');
    const told = describeEnd(await supervisor.failure);
    expect(told).toContain('bad exited with code 3. Its last lines:');
    expect(told).toContain('FATAL no database port=5432');
  });

  test('reports the signal that killed a part', async () => {
    run('worker', 'setInterval(() => {}, 1000)').kill('SIGKILL');
    expect(describeEnd(await supervisor.failure)).toContain('worker was killed by SIGKILL');
  });

  test('stops our parts before the programs they depend on', async () => {
    const order: string[] = [];
    const waits =
      'setInterval(() => {}, 1000); process.on("SIGTERM", () => setTimeout(process.exit, 200)); log(30, "up")';
    const part = run('api', waits);
    const program = supervisor.startProgram({
      name: 'db',
      command: process.execPath,
      args: ['-e', `${LOG} ${waits}`],
    });
    part.exited.then(() => order.push('api'));
    program.exited.then(() => order.push('db'));
    await eventually(() => expect([...part.lastLines(), ...program.lastLines()]).toHaveLength(2));
    await supervisor.stop();
    expect(order).toEqual(['api', 'db']);
  });

  test('starts nothing more once it is stopping', async () => {
    await supervisor.stop();
    expect(() => run('late', '')).toThrow('late is not started');
  });

  test('writes a readable log per part, keeps the previous log, and prints errors to the terminal', async () => {
    await run(
      'api',
      'log(30, "listening", { port: 8080 }); log(50, "lost", { err: { stack: "Error: gone\\n at x" } });',
    ).exited;
    await eventually(async () => {
      const log = await readFile(join(logsDir, 'api.log'), 'utf8');
      expect(log).toMatch(/^\d\d:\d\d:\d\d\.\d{3} info {2}listening port=8080\n/);
      expect(log).toMatch(/ERROR lost\n {2}Error: gone\n {3}at x\n$/);
    });
    expect(problems).toEqual([expect.stringMatching(/^\[api\] .*ERROR lost/)]);
    await run('api', 'console.log("not JSON")').exited;
    await eventually(async () => {
      expect(await readFile(join(logsDir, 'api.log'), 'utf8')).toBe('not JSON\n');
      expect(await readFile(join(logsDir, 'api.previous.log'), 'utf8')).toContain('listening');
    });
  });
});
