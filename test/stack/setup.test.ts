import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { PROJECT_DIR } from '../../sandbox/stack/core/directories.ts';

let project: string;
const LOCK = {
  packages: {
    '': {},
    'node_modules/a': { version: '1.0.0' },
    'node_modules/b': { version: '2.0.0', optional: true },
  },
};
/** A fake npm that slowly installs the lock file without the optional package, and records its calls. */
const NPM = `#!/bin/sh
echo "npm $*" >> calls
sleep 0.3
mkdir -p node_modules/.bin && printf '#!/bin/sh\\necho v24.0.0\\n' > node_modules/.bin/node && chmod +x node_modules/.bin/node
grep -v node_modules/b package-lock.json > node_modules/.package-lock.json
`;

beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), 'setup-'));
  for (const file of ['bin/setup.mjs', 'sandbox/stack/process/leash.mjs']) {
    await cp(join(PROJECT_DIR, file), join(project, file));
  }
  await writeLock(LOCK);
  await mkdir(join(project, 'tools'));
  await writeNpm(NPM);
});
afterEach(() => rm(project, { recursive: true }));

/** Writes one package per line, so that the fake npm can omit one with grep. */
async function writeLock({ packages }: typeof LOCK): Promise<void> {
  const lines = Object.entries(packages).map(
    ([name, entry]) => `${JSON.stringify(name)}: ${JSON.stringify(entry)}`,
  );
  lines.sort((one, other) => Number(one.includes('/a')) - Number(other.includes('/a')));
  await writeFile(join(project, 'package-lock.json'), `{"packages":{\n${lines.join(',\n')}\n}}`);
}

async function writeNpm(script: string): Promise<void> {
  await writeFile(join(project, 'tools/npm'), script);
  await chmod(join(project, 'tools/npm'), 0o755);
}

async function setUp(env: NodeJS.ProcessEnv = {}): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, [join(project, 'bin/setup.mjs')], {
    env: { PATH: `${join(project, 'tools')}:/usr/bin:/bin`, ...env },
  });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  let printed = '';
  child.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  expect(printed).toBe('');
  return { code, said };
}

const calls = async () => (await readFile(join(project, 'calls'), 'utf8')).trim().split('\n');

describe('the set-up', () => {
  test('installs on a fresh clone, reports the duration, and is silent afterwards', async () => {
    const first = await setUp();
    expect(first.code).toBe(0);
    expect(first.said).toMatch(
      /Installing packages \(the first time\) …\n(.|\n)*done in \d+ s, with Node v24\.0\.0/,
    );
    expect(await setUp()).toEqual({ code: 0, said: '' });
    expect(await calls()).toEqual([expect.stringContaining('ci --include=dev')]);
  });

  test('reinstalls from scratch when the lock file changes', async () => {
    await setUp();
    await writeFile(join(project, 'node_modules/half-unpacked'), '');
    await writeLock({ packages: { ...LOCK.packages, 'node_modules/a': { version: '1.0.1' } } });
    const { said } = await setUp();
    expect(said).toContain('package-lock.json has changed');
    await expect(readFile(join(project, 'node_modules/half-unpacked'))).rejects.toThrow('ENOENT');
    expect(await setUp()).toEqual({ code: 0, said: '' });
  });

  test('installs once when run twice concurrently', async () => {
    const [one, other] = await Promise.all([setUp(), setUp()]);
    expect([one.code, other.code]).toEqual([0, 0]);
    expect(await calls()).toHaveLength(1);
    expect(one.said + other.said).toContain('Another command is installing');
  });

  test('reports a missing npm', async () => {
    await rm(join(project, 'tools/npm'));
    const { code, said } = await setUp({ PATH: join(project, 'tools') });
    expect(code).toBe(1);
    expect(said).toContain('npm is required to install the packages, and is not on the PATH.');
  });

  test('shows npm’s output and points to the network when npm fails', async () => {
    await writeNpm('#!/bin/sh\necho "npm error ENOTFOUND" >&2\nexit 7\n');
    const { code, said } = await setUp();
    expect(code).toBe(1);
    expect(said).toContain('npm error ENOTFOUND');
    expect(said).toContain('could not be installed (npm exited with code 7');
    expect(said).toContain('Check that the network is up');
  });

  test('takes over the lock of a killed set-up', async () => {
    await mkdir(join(project, '.local'));
    await writeFile(join(project, '.local/setup.lock'), `${2 ** 30}`);
    expect((await setUp()).code).toBe(0);
  });

  test('takes over the lock of a set-up that had its process id before a container restarted', async () => {
    await mkdir(join(project, '.local'));
    const command = 'echo $$ > "$1/.local/setup.lock" && exec "$2" "$1/bin/setup.mjs"';
    const env = { PATH: `${join(project, 'tools')}:/usr/bin:/bin` };
    const args = ['-c', command, 'sh', project, process.execPath];
    await promisify(execFile)('sh', args, { env, timeout: 20_000 });
    expect(await calls()).toHaveLength(1);
  });
});
