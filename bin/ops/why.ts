/** Tells in words what happened to something, and what happens next. */
import type { Explanation, Subject } from '../../contract/operations/subjects.ts';
import { searchSubjects } from '../../db/operations/search.ts';
import { explain } from '../../db/operations/why.ts';
import { plainAmount } from '../../domain/money.ts';
import { type OpsCommand, type OpsContext, parseOpsArgs, WrongArguments } from './command.ts';
import { printTable } from './table.ts';

const IDS = `Any id is accepted: of a payment, session, subscription, refund, dispute, event, order, invoice, endpoint, rail
account or merchant; the rail's id of a payment, refund or dispute; the sessionId of the page's address;
the merchant's merchantReference or externalCustomerId; the buyer's email address.`;

const SHOWN = 50;

export const search: OpsCommand = {
  usage: 'search <any id>',

  help: `Lists everything that has this id or reference. ${IDS}
Reads PostgreSQL only. Exit code: 0 if something was found, 1 if not, 2 for invalid arguments.`,

  async run(args, { pool }) {
    const { values, positionals } = parseOpsArgs(args, { json: { type: 'boolean', default: false } });
    const found = await searchSubjects(pool, idOf(positionals), null, SHOWN);
    if (values.json) console.log(JSON.stringify(found));
    else printSubjects(found);
    return found.length > 0 ? 0 : 1;
  },
};

export const why: OpsCommand = {
  usage: 'why <any id>',

  help: `Tells the state, the history, what the rail said when, what happens next and by itself, and the related ids.
${IDS}
Reads PostgreSQL only. Exit code: 0, 1 if nothing has this id or several things have, 2 for invalid arguments.`,

  async run(args, { pool, links }) {
    const { values, positionals } = parseOpsArgs(args, { json: { type: 'boolean', default: false } });
    const subject = await onlySubject(pool, idOf(positionals));
    if (!subject) return 1;
    const explanation = await explain(pool, subject, links);
    if (values.json) console.log(JSON.stringify(explanation));
    else print(explanation);
    return 0;
  },
};

export function idOf([named]: readonly string[]): string {
  if (!named || named.includes('\0')) throw new WrongArguments('An id is required.');
  return named;
}

/** Null after it said why there is not exactly one. */
export async function onlySubject(pool: OpsContext['pool'], named: string): Promise<Subject | null> {
  const found = await searchSubjects(pool, named, null, SHOWN);
  const exact = found.find(({ id }) => id === named);
  if (exact) return exact;
  const [only, ...others] = found;
  if (only && others.length === 0) return only;
  if (only) {
    console.error(`${found.length} things belong to ${named}. Choose one:`);
    printSubjects(found, console.error);
  } else console.error(`Nothing has the id or reference ${named}.`);
  return null;
}

function printSubjects(found: readonly Subject[], write = console.log): void {
  if (found.length === 0) {
    write('Nothing was found.');
    return;
  }
  printTable(
    ['KIND', 'ID', 'STATE', 'AMOUNT', 'CREATED', 'FOUND BY'],
    found.map((each) => [each.kind, each.id, each.state, amountOf(each), each.created_at, each.found_by]),
    write,
  );
}

function amountOf({ amount, currency }: Pick<Subject, 'amount' | 'currency'>): string {
  return amount === null ? '-' : plainAmount(amount, currency ?? '');
}

function print({ subject, ...told }: Explanation): void {
  const of = `merchant ${subject.merchant_id}${subject.environment ? `, ${subject.environment}` : ''}`;
  console.log(`${subject.kind} ${subject.id} (${of})`);
  console.log(`  ${subject.state}: ${told.means}${subject.amount === null ? '' : ` ${amountOf(subject)}.`}`);
  console.log(`  by itself: ${told.by_itself}${told.next_at ? ` Next at ${told.next_at}.` : ''}`);
  if (told.rail_said) console.log(`  the rail said last, at ${told.rail_said.at}: ${told.rail_said.words}`);
  if (told.workflow_url) console.log(`  workflow: ${told.workflow_url}`);
  for (const { kind, reason, means, next, links } of told.incidents) {
    console.log(`\nIncident ${kind}: ${reason}\n  ${means}\n  next: ${next}\n  runbook: ${links.runbook}`);
  }
  console.log('\nHistory');
  for (const { at, what, id } of told.history)
    console.log(`  ${at}  ${what}${id === subject.id ? '' : `  (${id})`}`);
  if (told.related.length === 0) return;
  console.log('\nRelated');
  printTable(
    ['KIND', 'ID', 'STATE'],
    told.related.map(({ kind, id, state }) => [kind, id, state]),
  );
}
