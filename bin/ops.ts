/**
 * `npm run ops -- <command>`: what an operator does by hand. Each command is a file in `bin/ops/`.
 * Where DATABASE_URL and Temporal are not set, the running `npm start` of this folder is used.
 */
import { openTemporal } from '../api/temporal.ts';
import { openPool } from '../db/pool.ts';
import { SecretBox } from '../db/secret-box.ts';
import type { OpsCommand } from './ops/command.ts';
import { readOpsConfig } from './ops/config.ts';
import { needsAttention } from './ops/needs-attention.ts';
import { railCheck } from './ops/rail-check.ts';
import { railSet } from './ops/rail-set.ts';
import { resolve } from './ops/resolve.ts';
import { createRails } from './rails.ts';

const COMMANDS: Readonly<Record<string, OpsCommand>> = {
  'needs-attention': needsAttention,
  resolve,
  'rail check': railCheck,
  'rail set': railSet,
};

const [name = '', second = '', ...others] = process.argv.slice(2);
const ofTwoWords = COMMANDS[`${name} ${second}`];
const command = ofTwoWords ?? COMMANDS[name];
const args = ofTwoWords ? others : process.argv.slice(3);
if (!command || args.includes('--help')) {
  const usages = command ? [command.usage] : Object.values(COMMANDS).map(({ usage }) => usage);
  console.log(
    `Usage:\n${usages.map((usage) => `  npm run ops -- ${usage}`).join('\n')}\n\nEach takes --json.`,
  );
  process.exit(command || !name || name === '--help' ? 0 : 2);
}

const config = await readOpsConfig();
const temporal = openTemporal(config.temporal);
const pool = await openPool({ url: config.databaseUrl, maxConnections: 2 });
try {
  process.exitCode = await command.run(args, {
    pool,
    temporal,
    rails: () => createRails(config),
    secretBox: () => {
      if (!config.secretsKey) throw new Error('Set SECRETS_KEY: keys are stored encrypted under it.');
      return new SecretBox(config.secretsKey);
    },
    env: process.env,
    input: process.stdin,
  });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await Promise.allSettled([pool.end(), temporal.connection.close()]);
}
