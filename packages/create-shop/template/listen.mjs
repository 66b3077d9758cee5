/** Brings the shop its webhooks over the API, also behind NAT. In production a webhook endpoint takes its place. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

process.loadEnvFile();
const { WEBHOOK_SECRET: secret = '', PORT: port = '3000' } = process.env;
const cli = import.meta.resolve('hosted-checkout').replace(/index\.js$/, 'cli.js');
const args = ['listen', '--forward', `http://localhost:${port}/webhooks`, '--secret', secret];
spawn(process.execPath, [fileURLToPath(cli), ...args], { stdio: 'inherit' }).on('exit', (code) => {
  process.exitCode = code ?? 1;
});
