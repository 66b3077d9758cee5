/** Brings the shop its webhooks over the API, also behind NAT. In production a webhook endpoint takes its place. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

// WEBHOOK_SECRET reaches the command in the environment: others on this machine can read arguments.
process.loadEnvFile();
const { PORT: port = '3000' } = process.env;
const cli = import.meta.resolve('hosted-checkout').replace(/index\.js$/, 'cli.js');
const args = ['listen', '--forward', `http://localhost:${port}/webhooks`];
spawn(process.execPath, [fileURLToPath(cli), ...args], { stdio: 'inherit' }).on('exit', (code) => {
  process.exitCode = code ?? 1;
});
