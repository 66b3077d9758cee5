/**
 * The steps of the Dockerfile in empty folders, outside a container: the files that .dockerignore lets through, the
 * packages that run, the build, and the programs that the containers start.
 */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { JPEG } from '../../support/core/images.ts';

const PROJECT = join(import.meta.dirname, '../../..');
const PATH = `${dirname(process.execPath)}:${process.env.PATH}`;

let root: string;
let image: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'checkout-image-'));
  const context = join(root, 'context');
  for (const entry of await sentToTheBuilder())
    await cp(join(PROJECT, entry), join(context, entry), { recursive: true });
  image = await build(context, await readFile(join(PROJECT, 'Dockerfile'), 'utf8'));
}, 600_000);

afterAll(() => rm(root, { recursive: true, force: true }));

test('the image contains neither development packages nor workspaces', async () => {
  const installed = await readdir(join(image, 'node_modules'));
  expect(installed).toContain('express');
  for (const name of ['jest', 'typescript', 'hosted-checkout']) expect(installed).not.toContain(name);
});

test.each(['bin/api.ts', 'bin/worker.ts', 'bin/migrate.ts'])(
  '%s starts and reports its missing settings',
  async (program) => {
    const outcome = await inImage([process.execPath, program]).catch(
      ({ stderr, stdout }) => `${stdout}${stderr}`,
    );
    expect(outcome).toContain('DATABASE_URL');
    expect(outcome).not.toMatch(/ERR_MODULE_NOT_FOUND|Cannot find/);
  },
);

test('the image encodes a product’s picture', async () => {
  const running = promisify(execFile)(process.execPath, ['platform/outbound/image/re-encode.ts'], {
    cwd: image,
    env: {},
    encoding: 'latin1',
  });
  running.child.stdin?.end(JPEG);
  expect((await running).stdout).toMatch(/^\{"type":"jpg","width":8,"height":16\}\n\xff\xd8/);
});

async function sentToTheBuilder(): Promise<readonly string[]> {
  const lines = (await readFile(join(PROJECT, '.dockerignore'), 'utf8')).split('\n');
  expect(lines).toContain('*');
  return lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
}

/** A folder per stage, of which the last is the image. Mounts and caches of a builder are left out. */
async function build(context: string, dockerfile: string): Promise<string> {
  const stages = new Map<string, string>();
  let folder = '';
  for (const line of dockerfile.replaceAll('\\\n', ' ').split('\n')) {
    const [instruction, ...words] = line.trim().split(/\s+/);
    if (instruction === 'FROM') {
      folder = join(root, `stage-${stages.size}`);
      const parent = stages.get(words[0] ?? '');
      if (parent) await cp(parent, folder, { recursive: true, verbatimSymlinks: true });
      stages.set(words[2] ?? 'image', folder);
    } else if (instruction === 'COPY') {
      const from = /^--from=(.+)/.exec(words[0] ?? '')?.[1];
      const source = from ? (stages.get(from) ?? '') : context;
      const [target = '', ...paths] = words.filter((word) => !word.startsWith('--')).reverse();
      for (const path of paths) await copy(join(source, path.replace(/^\/app\//, '')), join(folder, target));
    } else if (instruction === 'RUN') {
      const command = words.filter((word) => !/^--(mount|cache)=/.test(word)).join(' ');
      await promisify(execFile)('sh', ['-c', command], { cwd: folder, env: { ...process.env, PATH } });
    }
  }
  return folder;
}

/** Like COPY: the content of a folder, or a file under its name. */
async function copy(source: string, target: string): Promise<void> {
  const to = (await stat(source)).isFile() ? join(target, basename(source)) : target;
  return cp(source, to, { recursive: true, verbatimSymlinks: true });
}

function inImage([command = '', ...args]: readonly string[]): Promise<string> {
  return promisify(execFile)(command, args, { cwd: image, env: { PATH, NODE_ENV: 'production' } }).then(
    ({ stdout, stderr }) => `${stdout}${stderr}`,
  );
}
