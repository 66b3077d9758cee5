/**
 * Lists incidents that need an operator. While Temporal is down, it reports that and lists PostgreSQL's
 * incidents.
 */
import { readIncidents } from '../../api/operations/incidents-in-temporal.ts';
import {
  type IncidentKind,
  inWords,
  KINDS_OF_INCIDENT,
  needsOperator,
} from '../../contract/operations/incident-kinds.ts';
import type { Incident } from '../../contract/operations/incidents.ts';
import { plainAmount } from '../../domain/core/money.ts';
import { environmentOf, type OpsCommand, parseOpsArgs, WrongArguments } from './core/command.ts';
import { requestLines } from './core/request-lines.ts';
import { printTable, shortAge } from './core/table.ts';

export const list: OpsCommand = {
  usage:
    'list [--kind <kind>] [--merchant <ap_mer_…>] [--environment sandbox|production] [--older-than <minutes>] [--min-amount <cents>]',

  help: `Lists the incidents that need an operator, with amount, age, reason and the next command: first Temporal and
the workers, if they do not answer, then the others, oldest first; also merchants that a person stopped. Reads
PostgreSQL, and waits at most five seconds for Temporal. --kind can be repeated; the kinds are:
  ${KINDS_OF_INCIDENT.join(', ')}
Exit code: 0 if nothing needs an operator, 1 if something does, 2 for invalid arguments.`,

  async run(args, { pool, temporal, links }) {
    const { values } = parseOpsArgs(args, 0, {
      kind: { type: 'string', multiple: true },
      merchant: { type: 'string' },
      environment: { type: 'string' },
      'older-than': { type: 'string' },
      'min-amount': { type: 'string' },
    });
    const filter = {
      kinds: values.kind?.map(kindOf),
      merchantId: values.merchant,
      environment: environmentOf(values.environment),
      olderThanSeconds: 60 * numberOf('older-than', values['older-than']),
      minAmount: numberOf('min-amount', values['min-amount']),
    };
    const deps = { pool, temporal };
    const incidents = await readIncidents(deps, filter, links);
    if (values.json) console.log(JSON.stringify(incidents));
    else if (incidents.length === 0) console.log(nothing(filter.kinds, await readIncidents(deps, {}, links)));
    else print(incidents);
    return incidents.some(({ kind }) => needsOperator(kind)) ? 1 : 0;
  },
};

function kindOf(name: string) {
  const kind = KINDS_OF_INCIDENT.find((each) => each === name);
  if (!kind) throw new WrongArguments(`Unknown kind ${name}. The kinds are ${KINDS_OF_INCIDENT.join(', ')}.`);
  return kind;
}

function numberOf(option: string, text = '0'): number {
  if (!/^\d{1,9}$/.test(text)) throw new WrongArguments(`--${option} must be a whole number.`);
  return Number(text);
}

/** @param others incidents of every kind, ignoring the filter */
function nothing(kinds: readonly IncidentKind[] = [], others: readonly Incident[]): string {
  if (others.length === 0) return 'Nothing needs an operator.';
  const open = [...new Set(others.map(({ kind }) => kind))].join(', ');
  return kinds.length > 0 && !others.some(({ kind }) => kinds.includes(kind))
    ? `No ${kinds.join(' or ')}; ${others.length} of other kinds are open: ${open}.`
    : `None matches; ${others.length} are open without the filter: ${open}.`;
}

function print(incidents: readonly Incident[]): void {
  printTable(
    ['KIND', 'AMOUNT', 'AGE', 'MERCHANT', 'ID'],
    incidents.map((each) => [
      each.kind,
      amountOf(each),
      shortAge(each.age_seconds),
      each.merchant_name ? `${each.merchant_name} (${each.environment ?? 'both'})` : '-',
      each.id,
    ]),
    { below: (row) => linesBelow(incidents[row]) },
  );
  console.log('');
  const kinds = [...new Set(incidents.map(({ kind }) => kind))];
  for (const first of kinds.flatMap((kind) => incidents.find((each) => each.kind === kind) ?? [])) {
    const { kind } = first;
    console.log(`${kind}: ${first.means}\n  automatically: ${first.by_itself}\n  next: ${first.next}`);
    console.log(`  runbook: ${first.links.runbook}`);
  }
  for (const [currency, cents] of atStake(incidents)) {
    const count = incidents.length === 1 ? '1 incident' : `${incidents.length} incidents`;
    console.log(`\n${count}, ${plainAmount(cents, currency)} at stake.`);
  }
}

/** Reason, payment and link are printed below the row: as columns they would not fit a terminal. */
function linesBelow(incident: Incident | undefined): readonly string[] {
  if (!incident) return [];
  const { id, reason, payment_id: payment, links, request } = incident;
  return [
    reason,
    ...(request ? requestLines(request) : []),
    ...(payment && payment !== id ? [`payment: ${payment}`] : []),
    links.temporal_ui ?? links.runbook,
  ];
}

function amountOf({ amount, currency }: Incident): string {
  return amount === null ? '-' : plainAmount(amount, currency ?? '');
}

/** Sums the cents whose owner is uncertain. A payment in two incidents counts once. */
function atStake(incidents: readonly Incident[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  const counted = new Set<string>();
  for (const { kind, amount, currency, payment_id, id } of incidents) {
    if (inWords(kind).amountIsSafe) continue;
    const about = payment_id ?? id;
    if (amount === null || !currency || counted.has(about)) continue;
    counted.add(about);
    sums.set(currency, (sums.get(currency) ?? 0) + amount);
  }
  return sums;
}
