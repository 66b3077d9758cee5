/**
 * stripe-mock with Stripe's published description: built once with Go and cached outside the working copy.
 * @needs stripe-mock
 */
import { cp, mkdir, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheDir } from '../../../sandbox/stack/core/directories.ts';
import { freePort } from '../../../sandbox/stack/core/ports.ts';
import { startForeignPart } from '../../../sandbox/stack/process/part.ts';
import { GO_ENV, hasTool, runTool } from '../../../sandbox/stack/process/tool.ts';
import { eventually } from '../../support/core/eventually.ts';
import type { Description } from './double/description.ts';

const VERSION = '0.203.0';
const GO_PACKAGE = `github.com/stripe/stripe-mock@v${VERSION}`;

export interface StripeMock {
  readonly url: string;
  close(): Promise<void>;
}

export async function startStripeMock(): Promise<StripeMock> {
  const command = join(await stripeMockDir(), 'stripe-mock');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const part = startForeignPart({ name: 'stripe-mock', command, args: ['-http-addr', `127.0.0.1:${port}`] });
  await eventually(async () => {
    if (!part.isRunning()) throw new Error(`stripe-mock exited: ${part.lastLines().join('\n')}`);
    await fetch(url);
  });
  return {
    url,
    async close() {
      await part.stop();
    },
  };
}

export async function loadDescription(): Promise<Description> {
  return JSON.parse(await readFile(join(await stripeMockDir(), 'spec3.json'), 'utf8'));
}

/** @throws Error with what is missing */
async function stripeMockDir(): Promise<string> {
  const dir = join(cacheDir(process.env), `stripe-mock-${VERSION}`);
  if (await exists(dir)) return dir;
  if (!(await hasTool('go', 'version'))) {
    throw new Error(
      "The tests of the Stripe adapter need stripe-mock and Stripe's description, which Go builds and fetches.\n" +
        'Install Go (https://go.dev/doc/install); it is needed once.',
    );
  }
  await mkdir(cacheDir(process.env), { recursive: true });
  // A temporary directory and a rename: concurrent runs do not interfere.
  const workDir = await mkdtemp(`${dir}.getting-`);
  try {
    const env = { ...GO_ENV, GOBIN: workDir };
    await runTool('go', ['install', GO_PACKAGE], { cwd: workDir, env });
    const said = await runTool('go', ['mod', 'download', '-json', GO_PACKAGE], { cwd: workDir });
    const { Dir: source } = JSON.parse(said.slice(said.indexOf('{'))) as { Dir: string };
    await cp(join(source, 'embedded/openapi/spec3.json'), join(workDir, 'spec3.json'));
    await rename(workDir, dir).catch(async (error: unknown) => {
      if (!(await exists(dir))) throw error;
    });
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
  return dir;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
