/**
 * `npm run -s buyer -- <hostedUrl> --card 4242424242424242`: pays as a buyer would, over the same HTTP that the
 * hosted page uses and with no browser, and prints one JSON line. For merchants' developers and for tests.
 */
import { parseArgs } from 'node:util';
import { payAsBuyer } from '../page/buyer.ts';

const USAGE = `Usage: npm run -s buyer -- <hostedUrl> --card <number> [options]

Pays a sandbox session as a buyer would and prints one JSON line:
  { "state", "failureReason", "attempts", "redirectUrl" }

  --card <number>        a test card of the sandbox rail, e.g. 4242424242424242
  --email <address>      for sessions that ask for one (default: buyer@example.com)
  --challenge <how>      what to do at a 3-D Secure challenge: approve (default), fail,
                         or abandon: walk away; the state is then requires_action
  --timeout <seconds>    how long to wait for an outcome (default: 60)
  --help                 prints this

After a declined attempt the session is payable again: the state is created, attempts counts it.
A session that is over, or that somebody else is paying, is not paid again: its state is printed.
Exit code: 0 when a state is known, 1 when not, 2 for wrong arguments.`;

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
    throw new Error('A hostedUrl is needed.');
  if (!values.card) throw new Error('--card is needed.');
  const challenge = CHALLENGES.find((each) => each === values.challenge);
  if (!challenge) throw new Error(`--challenge takes ${CHALLENGES.join(', ')}.`);
  const timeoutSeconds = Number(values.timeout);
  if (!(timeoutSeconds > 0)) throw new Error('--timeout takes a number of seconds.');
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
