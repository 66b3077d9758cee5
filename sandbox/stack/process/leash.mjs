// Runs a foreign program (PostgreSQL, Temporal, a build) and stops it when the parent process dies. Standard input
// is a pipe from the parent, which the operating system closes even after a SIGKILL. Plain JavaScript, because the
// set-up needs it before anything is installed.
//
// node leash.mjs '{"command":"…","args":["…"],"stopSignal":"SIGINT","graceMs":3000,"removeAfter":"/tmp/x"}'
import { spawn } from 'node:child_process';

const {
  command,
  args = [],
  stopSignal = 'SIGTERM',
  graceMs = 3_000,
  removeAfter,
} = JSON.parse(process.argv[2]);

const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
let stopping = false;

function stop() {
  if (stopping) return;
  stopping = true;
  child.kill(stopSignal);
  setTimeout(() => child.kill('SIGKILL'), graceMs);
}

child.on('error', (error) => {
  console.error(`${command} cannot be run: ${error.message}`);
  process.exit(127);
});
child.on('exit', (code, signal) => {
  // In a separate process: removing a large directory takes longer than the grace period.
  if (removeAfter) spawn('rm', ['-rf', removeAfter], { detached: true, stdio: 'ignore' }).unref();
  if (code !== null) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
process.stdin.on('end', stop).on('close', stop).on('error', stop).resume();
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, stop);
