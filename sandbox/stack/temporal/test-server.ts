/**
 * Finds Temporal's time-skipping test server: the SDK's download, or a Java program from Maven where only package
 * registries are reachable.
 */

import { once } from 'node:events';
import { access, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EphemeralServerExecutable } from '@temporalio/testing/lib/ephemeral-server.js';
import { answers } from '../core/download.ts';
import { freePort } from '../core/ports.ts';
import type { Progress } from '../core/progress.ts';
import { type Part, startForeignPart } from '../process/part.ts';
import { hasTool, runTool } from '../process/tool.ts';

const VERSION = '1.38.0';
const CLASSES = 'classes.jsa';
const OFFICIAL = 'https://temporal.download/temporal-test-server/default?platform=linux&arch=amd64';

export interface TestServerOptions {
  readonly cacheDir: string;
  readonly progress: Progress;
}

/** @throws Error that names what is missing */
export async function findTestServer({
  cacheDir,
  progress,
}: TestServerOptions): Promise<EphemeralServerExecutable> {
  const downloadDir = join(cacheDir, 'temporal-test-server');
  const javaDir = join(cacheDir, `temporal-test-server-${VERSION}-jvm`);
  const path = join(javaDir, 'run');
  const downloaded = { type: 'cached-download', downloadDir, ttl: '10 years' } as const;
  await mkdir(downloadDir, { recursive: true });
  if ((await readdir(downloadDir)).some((name) => !name.endsWith('.downloading'))) return downloaded;
  if ((await exists(path)) && (await hasTool('java', '-version'))) return { type: 'existing-path', path };

  const refusal = await answers(OFFICIAL);
  if (refusal === undefined) return downloaded;
  progress.note(`Downloading the time-skipping Temporal server failed (${refusal}).`);
  await getJava(javaDir, progress);
  return { type: 'existing-path', path };
}

async function getJava(javaDir: string, progress: Progress): Promise<void> {
  if (!(await hasTool('java', '-version')) || !(await hasTool('mvn', '-version'))) {
    throw new Error(
      'The tests that skip time need the Temporal test server. Where it cannot be downloaded, ' +
        'they need Java and Maven (on Debian: apt-get install maven).',
    );
  }
  // Use a temporary directory and a rename, so that concurrent runs do not interfere.
  const workDir = await mkdtemp(`${javaDir}.getting-`);
  const copying = ['dependency:copy-dependencies', `-DoutputDirectory=${workDir}/lib`];
  try {
    await writeFile(join(workDir, 'pom.xml'), POM);
    await progress.step(
      'Downloading the time-skipping Temporal server from Maven (once)',
      () => runTool('mvn', ['-q', '-B', '-f', workDir, ...copying]),
      { announce: true },
    );
    await writeFile(join(workDir, 'run'), LAUNCHER, { mode: 0o755 });
    await rename(workDir, javaDir).catch(async (error) => {
      if (!(await exists(join(javaDir, 'run')))) throw error;
    });
    await rememberClasses(javaDir);
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}

/**
 * Creates a class-data archive, with which later runs start in 1 s. Without it a busy machine took 12 s, and the SDK
 * waits for only 5 s. Java accepts the archive only at the jars' final path.
 */
async function rememberClasses(javaDir: string): Promise<void> {
  const unfinished = join(javaDir, `${CLASSES}.${process.pid}`);
  const port = await freePort();
  const server = startForeignPart({
    name: 'test server',
    command: join(javaDir, 'run'),
    args: [`${port}`],
    env: { JAVA_TOOL_OPTIONS: `-XX:ArchiveClassesAtExit=${unfinished}` },
    graceMs: 30_000,
  });
  await untilOpen(server, port);
  await server.stop();
  await rename(unfinished, join(javaDir, CLASSES)).catch(() => {});
}

async function untilOpen(server: Part, port: number): Promise<void> {
  while (server.isRunning()) {
    const socket = connect(port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      return;
    } catch {
      await sleep(100);
    } finally {
      socket.destroy();
    }
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

const POM = `<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>local</groupId>
  <artifactId>test-server</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>io.temporal</groupId>
      <artifactId>temporal-test-server</artifactId>
      <version>${VERSION}</version>
    </dependency>
    <dependency>
      <groupId>org.slf4j</groupId>
      <artifactId>slf4j-nop</artifactId>
      <version>1.7.36</version>
    </dependency>
  </dependencies>
</project>
`;

/** The background process kills the server if its starter was killed. */
const LAUNCHER = `#!/bin/sh
starter=$PPID
(
  while kill -0 "$starter" && kill -0 $$; do sleep 1; done
  kill -9 $$
) </dev/null >/dev/null 2>&1 &
dir=$(dirname "$0")
[ -f "$dir/${CLASSES}" ] && classes="-XX:SharedArchiveFile=$dir/${CLASSES}"
exec java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx256m $classes -cp "$dir/lib/*" \\
  io.temporal.testserver.TestServer "$@"
`;
