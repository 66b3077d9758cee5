/** Explains a subject's past and next steps. */
import { explainInTemporal } from '../../api/operations/incidents-in-temporal.ts';
import type { Explanation } from '../../contract/operations/subjects.ts';
import { explain } from '../../db/operations/explain.ts';
import { searchSubjects } from '../../db/operations/search.ts';
import { type OpsCommand, type OpsContext, parseOpsArgs } from './core/command.ts';
import { amountOf, idOf, onlySubject, printSubjects, SHOWN } from './core/named-subject.ts';
import { requestLines } from './core/request-lines.ts';
import { printTable } from './core/table.ts';

const IDS = `Any id is accepted: of a payment, session, subscription, refund, dispute, event, order, invoice, endpoint, rail
account or merchant; the rail's id of a payment, refund or dispute; the sessionId of the page's address;
the merchant's merchantReference or externalCustomerId; the buyer's email address; a merchant's name. So are the ids that "list" prints: a rail
(stripe:production), a request (ap_opr_…), the sweep, a restore, the workers (workers:production).`;

export const search: OpsCommand = {
  usage: 'search <any id>',

  help: `Lists what has this id or reference, at most the newest ${SHOWN}. ${IDS}
Reads PostgreSQL only. Exit code: 0 if something was found, 1 if not, 2 for invalid arguments.`,

  async run(args, { pool }) {
    const { values, positionals } = parseOpsArgs(args, 1, {});
    const found = await searchSubjects(pool, idOf(positionals), null, SHOWN + 1);
    const shown = found.slice(0, SHOWN);
    if (values.json) console.log(JSON.stringify(shown));
    else printSubjects(shown);
    if (found.length > SHOWN) console.error(`Only the newest ${SHOWN} are shown.`);
    return found.length > 0 ? 0 : 1;
  },
};

export const why: OpsCommand = {
  usage: 'why <any id>',

  help: `Explains the state, the history, the rail's answers with their times, what happens automatically, the next step, and the related ids.
${IDS}
Reads PostgreSQL only, except about Temporal and the workers. Exit code: 0, 1 if nothing has this id or several objects have it, 2 for invalid arguments.`,

  async run(args, { pool, temporal, links }) {
    const { values, positionals } = parseOpsArgs(args, 1, {});
    const named = idOf(positionals);
    const explanation =
      (await explainInTemporal({ pool, temporal }, named, links)) ?? (await inRows({ pool, links }, named));
    if (!explanation) return 1;
    if (values.json) console.log(JSON.stringify(explanation));
    else print(explanation);
    return 0;
  },
};

async function inRows({ pool, links }: Pick<OpsContext, 'pool' | 'links'>, named: string) {
  const subject = await onlySubject(pool, named);
  return subject && explain(pool, subject, links);
}

function print({ subject, ...told }: Explanation): void {
  const merchant = subject.merchant_id === '' ? 'the whole installation' : `merchant ${subject.merchant_id}`;
  const of = `${merchant}${subject.environment ? `, ${subject.environment}` : ''}`;
  console.log(`${subject.kind} ${subject.id} (${of})`);
  console.log(`  ${subject.state}: ${told.means}${subject.amount === null ? '' : ` ${amountOf(subject)}.`}`);
  console.log(`  automatically: ${told.by_itself}${told.next_at ? ` Next at ${told.next_at}.` : ''}`);
  if (told.commands.some(({ command }) => command === 'start_merchant'))
    console.log(`  next: npm run ops -- start-merchant ${subject.id} --reason … --yes`);
  if (subject.rail_reference) console.log(`  at the rail: ${subject.rail_reference}`);
  if (told.rail_said)
    console.log(`  last answer of the rail, at ${told.rail_said.at}: ${told.rail_said.words}`);
  if (told.workflow_url) console.log(`  workflow: ${told.workflow_url}`);
  if (told.request) for (const line of requestLines(told.request)) console.log(`  ${line}`);
  for (const { kind, id, reason, means, next, links, request } of told.incidents) {
    console.log(`\nIncident ${kind}: ${reason}\n  ${means}`);
    if (request && id !== subject.id) for (const line of requestLines(request)) console.log(`  ${line}`);
    // Skip the next step if it is this same command.
    if (next !== `npm run ops -- why ${id}`) console.log(`  next: ${next}`);
    console.log(`  runbook: ${links.runbook}`);
  }
  if (told.history.length > 0) console.log('\nHistory');
  for (const { at, what, id } of told.history)
    console.log(`  ${at}  ${what}${id === subject.id ? '' : `  (${id})`}`);
  if (told.related.length === 0) return;
  console.log('\nRelated');
  printTable(
    ['KIND', 'ID', 'STATE', 'ENVIRONMENT'],
    told.related.map(({ kind, id, state, environment }) => [kind, id, state, environment]),
  );
}
