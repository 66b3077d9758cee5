/**
 * `npm run -s buyer -- <hostedUrl> --card 4242424242424242`: pays like a buyer through the hosted page's HTTP
 * interface, without a browser, and prints one JSON line. For merchants' developers and tests.
 */
import { parseArgs } from 'node:util';
import { printPlainly } from '../contract/core/plain-output.ts';
import { payAsBuyer } from '../sandbox/buyer/buyer.ts';

printPlainly();

const USAGE = `Usage: npm run -s buyer -- <hostedUrl> --card <number> [options]

Pays a sandbox session like a buyer and prints one JSON line:
  { "state", "failureReason", "attempts", "redirectUrl" }

  --card <number>        a test card of the sandbox rail, e.g. 4242424242424242
  --email <address>      for sessions that require one (default: buyer@example.com)
  --challenge <how>      the buyer's answer to a 3-D Secure challenge: approve (default), fail,
                         or abandon, which leaves the session in requires_action
  --timeout <seconds>    how long to wait for an outcome (default: 60)
  --help                 print this

After a declined attempt the session is payable again: state is created, and attempts includes it.
For a session that is closed, or that another buyer is paying, only its state is printed.
Exit code: 0 if the state is known, 1 if not, 2 for invalid arguments.`;

const CHALLENGES = ['approve', 'fail', 'abandon'] as const;

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      card: { type: 'string' },
      email: { type: 'string', default: 'buyer@example.com' },
      challenge: { type: 'string', default: 'approve' },
      timeout: { type: 'string', default: '60' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return null;
  const [hostedUrl] = positionals;
  if (positionals.length !== 1 || !hostedUrl || !URL.canParse(hostedUrl))
    throw new Error('hostedUrl is missing or invalid.');
  if (!values.card) throw new Error('--card is required.');
  const challenge = CHALLENGES.find((each) => each === values.challenge);
  if (!challenge) throw new Error(`--challenge must be one of ${CHALLENGES.join(', ')}.`);
  const timeoutSeconds = Number(values.timeout);
  if (!(timeoutSeconds > 0)) throw new Error('--timeout must be a positive number of seconds.');
  return { hostedUrl, card: values.card, email: values.email, challenge, timeoutSeconds };
}

let wishes: ReturnType<typeof readArguments>;
try {
  wishes = readArguments();
} catch (error) {
  console.error(`${(error as Error).message}\n\n${USAGE}`);
  process.exit(2);
}
if (!wishes) {
  console.log(USAGE);
  process.exit(0);
}
const outcome = await payAsBuyer(wishes);
if (outcome.problem) console.error(outcome.problem);
console.log(JSON.stringify(outcome.report));
process.exit(outcome.report.state === 'unknown' ? 1 : 0);
