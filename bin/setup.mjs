// Installs the packages when they are missing or older than package-lock.json; says nothing when there is
// nothing to do. Plain JavaScript for Node 20 with nothing installed. All output goes to standard error:
// the commands that run this first may print something that a program reads.
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
  fail(
    `Node ${process.versions.node} is too old: the project needs Node ${OLDEST_NODE} or newer to begin with.`,
  );
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

/** npm notes what it has installed once all is done; what it may leave out are other machines' packages. */
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
    () => say(`Installing packages: still at it after ${seconds()}`),
    HEARTBEAT_MS,
  );
  // From nothing: npm would take packages that an interrupted run unpacked for installed, and not run their
  // scripts. This very process may be run by the Node that lies there, so it is moved, and removed afterwards.
  rmSync(oldModules, { recursive: true, force: true });
  if (existsSync(modules)) renameSync(modules, oldModules);
  const code = await npmInstall(process.execPath.replace(modules, oldModules));
  rmSync(oldModules, { recursive: true, force: true });
  clearInterval(heartbeat);
  if (code === 127) fail('npm is needed to install the packages, and is not on the PATH.');
  if (code !== 0) {
    fail(`The packages could not be installed (npm ended with code ${code}; its own words are above).
Is the network up, and can the npm registry be reached? Then run the same command again.`);
  }
  const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout?.trim();
  if (!version) fail(`The installed Node does not run on this machine: ${node}`);
  say(`Installing packages: done in ${seconds()}, with Node ${version}`);
}

/**
 * What the lock file says and nothing else is changed. Not `npm ci`: that refuses a lock file which lacks an
 * optional package of some other platform, and such a package need not be in every registry.
 * On a leash: when this process is killed, the installation ends too.
 */
function npmInstall(nodeNow) {
  const npm = process.env.npm_execpath?.endsWith('.js')
    ? { command: nodeNow, args: [process.env.npm_execpath] }
    : { command: 'npm', args: [] };
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  // A registry that is silent for 10 s is asked again, three times at most.
  const patience = ['--fetch-timeout=10000', '--fetch-retries=3', '--fetch-retry-mintimeout=1000'];
  const task = {
    ...npm,
    args: [...npm.args, 'install', '--no-save', '--include=dev', ...quiet, ...patience],
  };
  const leash = join(project, 'sandbox/stack/leash.mjs');
  const child = spawn(nodeNow, [leash, JSON.stringify(task)], {
    cwd: project,
    stdio: ['pipe', process.stderr, process.stderr],
  });
  return new Promise((done) => child.on('exit', (code) => done(code)));
}

/** Two commands at once on a fresh clone: the second waits for the first. */
async function takeLock() {
  mkdirSync(join(project, '.local'), { recursive: true });
  const mine = `${lock}.${process.pid}`;
  writeFileSync(mine, `${process.pid}`);
  try {
    for (let announced = false; !link(mine, lock); announced = true) {
      if (!isAlive(Number(readLock()))) rmSync(lock, { force: true });
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

/** npm passes a signal to its shell only, and the shell ends without us: then we end by ourselves. */
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
