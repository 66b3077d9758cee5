/** Fetches the shop's webhooks through the API, even behind NAT. In production, use a webhook endpoint instead. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

// Pass WEBHOOK_SECRET in the environment: others on this machine can read a command's arguments.
process.loadEnvFile();
const { PORT: port = '3000' } = process.env;
const cli = import.meta.resolve('hosted-checkout').replace(/index\.js$/, 'cli.js');
const args = ['listen', '--forward', `http://localhost:${port}/webhooks`];
const listener = spawn(process.execPath, [fileURLToPath(cli), ...args], { stdio: 'inherit' });
listener.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
// Otherwise it would keep fetching webhooks after this program was ended.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => listener.kill(signal));
