import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { build, type Metafile } from 'esbuild';
import { API_NODE_ARGS } from '../../sandbox/stack/parts.ts';
import { PROJECT, read, services } from './compose-file.ts';

const run = promisify(execFile);
const dockerfile = read('Dockerfile');
const manifest = JSON.parse(read('package.json'));
const allowed = read('.dockerignore')
  .split('\n')
  .filter((line) => line.startsWith('!'))
  .map((line) => line.slice(1));
const isInImage = (path: string) => allowed.some((entry) => path === entry || path.startsWith(`${entry}/`));

/** The entry points of containers that run our own image, and the programs that operators run in it. */
const entries = [
  ...new Set(
    services
      .filter(([, service]) => service.build)
      .map(([, { command }]) => command?.find((word) => word.endsWith('.ts')) ?? ''),
  ),
  'bin/ops.ts',
  'bin/prepare-temporal.ts',
];

describe('the image', () => {
  test('runs on the Node version of development, pinned to the patch release', () => {
    const images = [...dockerfile.matchAll(/^ARG NODE_IMAGE=(\S+)/gm)].map(([, image]) => image);
    expect(images.map((image) => image?.split('@')[0])).toEqual([
      `node:${manifest.devDependencies.node}-bookworm-slim`,
    ]);
    expect(images[0]).toMatch(/@sha256:[0-9a-f]{64}$/);
    const stages = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
    expect(stages.filter((image) => image !== 'base')).toEqual([expect.stringContaining('NODE_IMAGE')]);
  });

  test('starts the API everywhere with the Node arguments of the benchmarks', () => {
    const inJson = ['node', ...API_NODE_ARGS, 'bin/api.ts'].map((word) => JSON.stringify(word)).join(', ');
    expect(dockerfile).toContain(`CMD [${inJson}]`);
    const inYaml = `command: [${['node', ...API_NODE_ARGS, 'bin/api.ts'].join(', ')}]`;
    for (const file of ['docker-compose.yml', 'deploy/chart/templates/api.yaml'])
      expect(read(file)).toContain(inYaml);
  });

  test('runs as an unprivileged user and has a health check', () => {
    const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM'));
    expect(last).toMatch(/^USER node$/m);
    expect(last).toMatch(/^HEALTHCHECK .*CMD \["node", "deploy\/healthcheck\.mjs", "8080"\]$/m);
  });

  test('listens on all addresses and uses its prebuilt workflow bundle', () => {
    const bundle = /worker\/bundle\.ts (\S+)/.exec(dockerfile)?.[1];
    expect(dockerfile).toContain('API_HOST=0.0.0.0');
    expect(dockerfile).toContain(`WORKFLOW_BUNDLE=/app/${bundle}`);
  });

  test('contains no development packages and no secrets', () => {
    const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM'));
    expect(last).toContain('COPY --from=production-packages /app/node_modules node_modules');
    expect(dockerfile).toMatch(/AS production-packages\n.*npm ci --cache=\S+ --omit=dev /);
    expect(dockerfile).not.toMatch(/PASSWORD|PEPPER|SECRETS_KEY|API_KEY/);
  });

  test('copies only files that exist', () => {
    expect(allowed.filter((path) => !existsSync(join(PROJECT, path)))).toEqual([]);
  });

  test('runs only build programs that exist and are copied into it', () => {
    const programs = [...dockerfile.matchAll(/node ([a-z]\S+\.(?:ts|mjs))/g)].map(([, path]) => path ?? '');
    expect(programs.length).toBeGreaterThanOrEqual(2);
    expect(programs.filter((path) => !existsSync(join(PROJECT, path)) || !isInImage(path))).toEqual([]);
  });
});

describe('the code that the containers run', () => {
  let graph: Metafile;
  beforeAll(async () => {
    const result = await build({
      absWorkingDir: PROJECT,
      entryPoints: entries,
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      outdir: 'nowhere',
      write: false,
      metafile: true,
      logLevel: 'silent',
      // These are read as files at run time, not imported.
      loader: { '.sql': 'empty', '.css': 'empty' },
    });
    graph = result.metafile;
  });

  test('is in the image with all of its imports', () => {
    expect(entries).toContain('bin/api.ts');
    expect(entries).toContain('bin/worker.ts');
    expect(Object.keys(graph.inputs).filter((path) => !isInImage(path))).toEqual([]);
  });

  test('needs no development-only package', () => {
    const external = Object.values(graph.inputs).flatMap(({ imports }) =>
      imports.filter((each) => each.external),
    );
    const packages = external
      .filter(({ kind, path }) => kind === 'import-statement' && !path.startsWith('node:'))
      .map(({ path }) =>
        path
          .split('/')
          .slice(0, path.startsWith('@') ? 2 : 1)
          .join('/'),
      );
    expect(packages).toContain('express');
    expect([...new Set(packages)].filter((name) => !(name in manifest.dependencies))).toEqual([]);
  });
});

describe('deploy/healthcheck.mjs', () => {
  const check = (port: number) =>
    run(process.execPath, [join(PROJECT, 'deploy/healthcheck.mjs'), `${port}`]).then(
      () => 'healthy',
      ({ code, stderr }) => `${code}: ${stderr.trim()}`,
    );

  test.each([
    [200, 'healthy'],
    [503, '1: not ready: 503 no database'],
  ])('requests /healthz, and reports %d as %s', async (status, verdict) => {
    const paths: unknown[] = [];
    const server = createServer((request, response) => {
      paths.push(request.url);
      response.writeHead(status).end('no database');
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    expect(await check((server.address() as AddressInfo).port)).toBe(verdict);
    expect(paths).toEqual(['/healthz']);
    server.close();
  });

  test('reports a process that does not answer as unhealthy', async () => {
    expect(await check(1)).toMatch(/^1: not ready/);
  });
});
