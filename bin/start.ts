/** `npm start`, `npm run stack`: runs the local stack until Ctrl-C. */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { printPlainly } from '../contract/core/plain-output.ts';
import { CARDS_TO_TRY } from '../sandbox/rail/core/test-cards.ts';
import { cacheDir, LOCAL_DIR } from '../sandbox/stack/core/directories.ts';
import { createProgress } from '../sandbox/stack/core/progress.ts';
import type { DevJson } from '../sandbox/stack/dev-json.ts';
import { deleteAll } from '../sandbox/stack/files.ts';
import { takeRunLock } from '../sandbox/stack/process/run-lock.ts';
import { stopAsked } from '../sandbox/stack/process/stop-asked.ts';
import { createSupervisor, describeEnd } from '../sandbox/stack/process/supervise.ts';
import { createStack } from '../sandbox/stack/stack.ts';
import { prepareDatabase } from './prepare-database.ts';
import { useStripe, whatStripeNeeds } from './use-stripe.ts';

printPlainly();

const USAGE = `Usage: npm start [-- --fresh] [-- --observe] [-- --rail stripe]
       npm run stack -- --temporal=postgres --apis 2 --workers 3

Runs the service with PostgreSQL, Temporal, a sandbox card rail, an identity provider and a demo shop.
Stop it with Ctrl-C; its state stays in .local/.

  --fresh         starts over: deletes all data and keys
  --observe       adds a page of metrics, alerts and traces; charts need Prometheus (Debian: apt-get install prometheus)
  --rail stripe   the demo shop sells on a Stripe test account: STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and
                  STRIPE_WEBHOOK_SECRET in the environment
  --temporal      development (default), or postgres: the server that production runs, on a PostgreSQL of its own,
                  without Temporal UI; Go builds it once, in about 5 minutes. Its data is in .local/distributed/
  --apis, --workers  how many processes of each; several APIs share one address, round-robin
  --help          print this

Ports: SHOP_PORT, API_PORT, RAIL_PORT, IDENTITY_PORT, WORKER_HEALTH_PORT, API_METRICS_PORT, WORKER_METRICS_PORT, TEMPORAL_PORT,
TEMPORAL_UI_PORT, POSTGRES_PORT; by default the first free ones. TEMPORAL_CLI is the path of a \`temporal\`
program. SANDBOX_REFUNDS=0 lets the demo merchants' accounts decline refunds.`;

const say = (line: string) => console.log(line);
// A closed terminal must not prevent an orderly stop.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

async function main(): Promise<number> {
  const { fresh, help, stripe, observe, temporalOnPostgres, howMany } = readArguments();
  if (help) {
    say(USAGE);
    return 0;
  }
  const missing = stripe ? whatStripeNeeds(process.env) : null;
  if (missing) {
    say(missing);
    return 2;
  }
  const started = Date.now();
  let stripeAccountId: string | undefined;
  const dirs = {
    localDir: LOCAL_DIR,
    ...(temporalOnPostgres && { dataDir: join(LOCAL_DIR, 'distributed') }),
  };
  const releaseLock = takeRunLock(`${LOCAL_DIR}/start.lock`);
  const supervisor = createSupervisor({ logsDir: `${LOCAL_DIR}/logs`, onProblem: say });
  const stack = createStack({
    env: process.env,
    ...dirs,
    temporalOnPostgres,
    howMany,
    cacheDir: cacheDir(process.env),
    progress: createProgress(say),
    observe,
    supervisor,
    async prepareDatabase(preparation) {
      await prepareDatabase(preparation);
      if (stripe) stripeAccountId = await useStripe(preparation, process.env);
    },
  });
  const asked = stopAsked().then((why) => ({ code: 0, message: `${why}: stopping …` }));
  const broken = supervisor.failure.then((end) => ({
    code: 1,
    message: `${describeEnd(end)}\nStopping the rest …`,
  }));
  const failed = (async () => {
    if (fresh) await deleteAll(dirs);
    const dev = await stack.start();
    say(welcome(dev, (Date.now() - started) / 1_000));
    if (dev.observeUrl) say(`Metrics, alerts and traces: ${dev.observeUrl}\n`);
    if (stripeAccountId) say(stripeWelcome(dev, stripeAccountId));
    return new Promise<never>(() => {});
  })().catch((error: Error) => ({ code: 1, message: `${error.message}\nStopping …` }));

  const end = await Promise.race([asked, broken, failed]);
  say(`\n${end.message}`);
  await stack.stop();
  releaseLock();
  say('Everything has stopped.');
  return end.code;
}

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        fresh: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
        observe: { type: 'boolean', default: false },
        rail: { type: 'string', default: 'sandbox' },
        temporal: { type: 'string', default: 'development' },
        apis: { type: 'string', default: '1' },
        workers: { type: 'string', default: '1' },
      },
    });
    const { fresh, help = false, observe, rail, temporal } = values;
    if (rail !== 'sandbox' && rail !== 'stripe')
      throw new Error(`Unknown rail "${rail}": use sandbox or stripe.`);
    if (temporal !== 'development' && temporal !== 'postgres')
      throw new Error(`Unknown Temporal server "${temporal}": use development or postgres.`);
    return {
      fresh,
      help,
      observe,
      stripe: rail === 'stripe',
      temporalOnPostgres: temporal === 'postgres',
      howMany: { apis: count('apis', values.apis), workers: count('workers', values.workers) },
    };
  } catch (error) {
    say(`${(error as Error).message}\n\n${USAGE}`);
    process.exit(2);
  }
}

/** Accepts 1 to 9 for `--apis` and `--workers`. */
function count(name: string, text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= 9) return number;
  throw new Error(`--${name} must be a number from 1 to 9.`);
}

function welcome(dev: DevJson, seconds: number): string {
  return `
Ready after ${seconds.toFixed(1)} s. Start with the shop:

  Demo shop     ${dev.shopUrl}
  Dashboard     ${dev.dashboardUrl}, as Olivia, its owner, or as someone else
  Temporal UI   ${dev.temporalUiUrl ?? `none; \`temporal --address ${dev.temporalAddress}\``}
  API           ${dev.apiUrl}, described at ${dev.apiUrl}/docs
  Accounts      ${dev.dashboard.issuer}

Test cards, with any date in the future and any CVC:

${CARDS_TO_TRY.map(([number, what]) => `  ${number}   ${what}`).join('\n')}

Keys and addresses for scripts are in .local/dev.json, logs in .local/logs/. Ctrl-C stops everything.
`;
}

function stripeWelcome({ apiUrl }: DevJson, accountId: string): string {
  return `The shop sells on your Stripe test account. For its webhooks, in another terminal:

  stripe listen --forward-to ${apiUrl}/rails/stripe/${accountId}/webhooks
`;
}

const code = await main().catch((error: Error) => {
  say(error.message);
  return 1;
});
process.exit(code);
