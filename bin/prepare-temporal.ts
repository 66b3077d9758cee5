/**
 * `node bin/prepare-temporal.ts`: creates the namespace, its search attributes and the Schedules if they are
 * missing. Idempotent. Workers also create the attributes and Schedules at their start, if the cluster allows it.
 */
import { printPlainly } from '../contract/core/plain-output.ts';
import { openTemporal } from '../platform/temporal/client.ts';
import { ensureNamespace, ensureSchedules, ensureSearchAttributes, onceKnown } from '../worker/namespace.ts';
import { orExit } from './config/faults.ts';
import { readTemporalConfig } from './config/temporal.ts';
import { parseOpsArgs, WrongArguments } from './ops/core/command.ts';

printPlainly();

/** A hundred years. */
const MOST_DAYS = 36_500;

const USAGE = `Usage: TEMPORAL_ADDRESS=… TEMPORAL_NAMESPACE=… node bin/prepare-temporal.ts [--retention-days 30]

Creates the namespace (where the cluster allows it), the search attributes and the Schedules that are missing. In
Temporal Cloud, create the namespace and the search attributes there first; the command says which are missing.`;

/** @returns how long the namespace keeps finished workflows; null if help is requested */
function retentionDays(): number | null {
  const { values } = parseOpsArgs(process.argv.slice(2), 0, {
    'retention-days': { type: 'string', default: '30' },
    help: { type: 'boolean', default: false },
  });
  if (values.help) return null;
  const days = Number(values['retention-days']);
  if (Number.isInteger(days) && days >= 1 && days <= MOST_DAYS) return days;
  throw new WrongArguments(`--retention-days must be a whole number from 1 to ${MOST_DAYS}.`);
}

const days = (() => {
  try {
    return retentionDays();
  } catch (error) {
    if (!(error instanceof WrongArguments)) throw error;
    console.error(`${error.message}\n\n${USAGE}`);
    process.exit(2);
  }
})();
if (days === null) {
  console.log(USAGE);
  process.exit(0);
}
const config = orExit(() => readTemporalConfig(process.env));
const { namespace } = config;
const client = openTemporal(config);
try {
  const isNew = await ensureNamespace(client, namespace, days);
  console.log(`Namespace ${namespace}: ${isNew ? 'created' : 'exists'}.`);
  const isAllowed = await onceKnown(() => ensureSearchAttributes(client, namespace));
  if (isAllowed) {
    console.log('Search attributes: all registered.');
  } else {
    console.error(
      'Search attributes: this cluster does not let the service register them. Create MerchantId, Environment and ' +
        'LifecycleState (Keyword), NeedsOperator (Bool) and NextActionAt (Datetime).',
    );
    process.exitCode = 1;
  }
  await onceKnown(() => ensureSchedules(client));
  console.log('Schedules: up to date.');
} catch (error) {
  console.error(`Temporal at ${config.address}: ${(error as Error).message}`);
  process.exitCode = 1;
} finally {
  await client.connection.close();
}
