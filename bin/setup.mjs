// Installs the packages if they are missing or do not match package-lock.json; silent otherwise. Plain JavaScript for
// Node 20 without packages. All output goes to standard error, because the next command's standard output may be
// parsed.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const OLDEST_NODE = 20;
const HEARTBEAT_MS = 15_000;

const project = fileURLToPath(new URL('..', import.meta.url));
const lock = join(project, '.local/setup.lock');
const modules = join(project, 'node_modules');
const oldModules = join(project, '.local/old-node_modules');
const node = join(modules, '.bin/node');

if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
  fail(`Node ${process.versions.node} is too old: the set-up needs Node ${OLDEST_NODE} or newer.`);
}
endWithStarter();
if (!isInstalled()) {
  await takeLock();
  try {
    if (!isInstalled()) await install();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** npm writes this file after a complete install; packages for other platforms may be absent. */
function isInstalled() {
  const installed = packagesIn('node_modules/.package-lock.json');
  if (!installed || !existsSync(node)) return false;
  return Object.entries(packagesIn('package-lock.json') ?? {}).every(([path, { version, optional }]) => {
    if (path === '') return true;
    return installed[path] ? installed[path].version === version : optional;
  });
}

function packagesIn(file) {
  const path = join(project, file);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : undefined;
}

async function install() {
  const started = Date.now();
  const seconds = () => `${((Date.now() - started) / 1_000).toFixed(0)} s`;
  const why = existsSync(node) ? 'package-lock.json has changed' : 'the first time';
  say(`Installing packages (${why}) …`);
  const heartbeat = setInterval(
    () => say(`Installing packages: still running after ${seconds()}`),
    HEARTBEAT_MS,
  );
  // Always from scratch: npm treats packages that an interrupted run unpacked as installed and skips their
  // scripts. The old folder is moved first and removed afterwards, because it may contain the Node that runs this
  // process.
  rmSync(oldModules, { recursive: true, force: true });
  if (existsSync(modules)) renameSync(modules, oldModules);
  const code = await npmInstall(process.execPath.replace(modules, oldModules));
  rmSync(oldModules, { recursive: true, force: true });
  clearInterval(heartbeat);
  if (code === 127) fail('npm is required to install the packages, and is not on the PATH.');
  if (code !== 0) {
    fail(`The packages could not be installed (npm exited with code ${code}; see its output above).
Check that the network is up and the npm registry reachable, then run the same command again.`);
  }
  const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout?.trim();
  if (!version) fail(`The installed Node does not run on this machine: ${node}`);
  say(`Installing packages: done in ${seconds()}, with Node ${version}`);
}

/** Installs exactly the versions in the lock file. `leash.mjs` ends the installation if this process is killed. */
function npmInstall(nodeNow) {
  const npm = process.env.npm_execpath?.endsWith('.js')
    ? { command: nodeNow, args: [process.env.npm_execpath] }
    : { command: 'npm', args: [] };
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  // Retries a registry that does not answer for 10 s, at most three times.
  const timeouts = ['--fetch-timeout=10000', '--fetch-retries=3', '--fetch-retry-mintimeout=1000'];
  const task = { ...npm, args: [...npm.args, 'ci', '--include=dev', ...quiet, ...timeouts] };
  const leash = join(project, 'sandbox/stack/process/leash.mjs');
  const child = spawn(nodeNow, [leash, JSON.stringify(task)], {
    cwd: project,
    stdio: ['pipe', process.stderr, process.stderr],
  });
  return new Promise((done) => child.on('exit', (code) => done(code)));
}

/** Serialises concurrent commands on a fresh clone. */
async function takeLock() {
  mkdirSync(join(project, '.local'), { recursive: true, mode: 0o700 });
  const mine = `${lock}.${process.pid}`;
  writeFileSync(mine, `${process.pid}`);
  try {
    for (let announced = false; !link(mine, lock); announced = true) {
      const holder = Number(readLock());
      // A restarted container repeats process ids: our own in the file is an earlier boot's.
      if (holder === process.pid || !isAlive(holder)) rmSync(lock, { force: true });
      else if (!announced) say('Another command is installing the packages: waiting for it …');
      await sleep(200);
    }
  } finally {
    rmSync(mine, { force: true });
  }
}

function link(from, to) {
  try {
    linkSync(from, to);
    return true;
  } catch {
    return false;
  }
}

function readLock() {
  try {
    return readFileSync(lock, 'utf8');
  } catch {
    return '';
  }
}

function isAlive(pid) {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** npm passes signals only to its shell, which exits without us: exit once the parent changes. */
function endWithStarter() {
  const starter = process.ppid;
  setInterval(() => {
    if (process.ppid !== starter) process.exit(1);
  }, 250).unref();
}

function say(line) {
  process.stderr.write(`${line}\n`);
}

function fail(message) {
  rmSync(lock, { force: true });
  say(message);
  process.exit(1);
}
