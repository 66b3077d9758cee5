/** Moves a merchant's customers, prices and subscriptions from its account at a processor into the service. */
import { z } from 'zod';
import { importAccount } from '../../api/operations/import/import-account.ts';
import type { ImportRow } from '../../api/operations/import/import-row.ts';
import { newPrice } from '../../contract/catalogue/prices.ts';
import { assertMoneyMayMove } from '../../db/core/money-held.ts';
import { railAccountsOf } from '../../db/merchant/rail-accounts.ts';
import { ENVIRONMENTS } from '../../domain/core/environment.ts';
import { grpcCodeOf } from '../../platform/temporal/grpc-code.ts';
import { openRailAccount } from '../../rail/accounts.ts';
import { RailListFailed } from '../../rail/lists.ts';
import {
  type OpsCommand,
  type OpsContext,
  parseOpsArgs,
  WrongArguments,
  wrongOption,
} from './core/command.ts';
import { printTable } from './core/table.ts';

const options = z.object({
  environment: z.enum(ENVIRONMENTS),
  // An empty text, as from an unset variable, would count as 0.
  'tax-rate': z
    .string()
    .regex(/^\d+(\.\d+)?$/, { error: 'must be a percentage' })
    .transform(Number)
    .pipe(newPrice.shape.tax_rate),
  'customer-id': z.string().min(1).nullish(),
});

const TEMPORAL_SILENT =
  'Temporal, which may have recorded a cancellation of a subscription here, does not answer: the import stopped. ' +
  'Check TEMPORAL_ADDRESS, and run it again.';

export const importCommand: OpsCommand = {
  usage:
    'import <rail> <ap_mer_…> --environment sandbox|production --tax-rate <percent> [--customer-id <key>] [--yes]',

  help: `Moves customers, prices and subscriptions of the merchant's account at the processor into the service, where
their stored cards are charged from the next period on. Without --yes it only reports, row by row, what would
move, and what would stay and why; products without a price and every stored payment method are included.
Read docs/migrating-from-stripe.md before --yes: a moved subscription ends at the processor.

  --tax-rate      percent included in every price, for invoices; 0 without tax
  --customer-id   key of the customers' metadata that holds your own id; otherwise the processor's id is used
  --yes imports; safe to repeat, and must be repeated after an interrupted run

Needs Temporal, the merchant's rail account ("rail set") and SECRETS_KEY unless "npm start" is running.
Exit code: 0 if everything moves or has moved, 1 if something stays, is unknown or
needs a decision, 2 for invalid arguments.`,

  async run(args, context) {
    const { values, positionals } = parseOpsArgs(args, 2, {
      environment: { type: 'string' },
      'tax-rate': { type: 'string' },
      'customer-id': { type: 'string' },
      yes: { type: 'boolean', default: false },
    });
    const [railName, merchantId] = positionals;
    if (!railName || !merchantId?.startsWith('ap_mer_'))
      throw new WrongArguments('A rail and a merchant id (ap_mer_…) are required.');
    const given = options.safeParse(values);
    if (!given.success) throw wrongOption(given.error, values);
    const scope = { merchantId, environment: given.data.environment };
    const from = await openSource(context, railName, scope);
    if (typeof from === 'string') {
      console.error(from);
      return 1;
    }
    if (values.yes) await assertMoneyMayMove(context.pool);
    try {
      const rows = await importAccount(
        {
          ...from,
          pool: context.pool,
          temporal: context.temporal,
          secretBox: context.secretBox(),
          actor: { actor: await context.actor() },
          // If the run is interrupted, its last line shows the progress.
          onRow: ({ kind, source, state }) => {
            if (values.yes) console.error(`${kind} ${source}: ${state}`);
          },
        },
        {
          taxRate: given.data['tax-rate'],
          customerIdKey: given.data['customer-id'] ?? null,
          carryOut: values.yes,
        },
      );
      print(rows, values);
      return rows.some((row) => row.state === 'stays' || row.state === 'unknown' || isToDecide(row)) ? 1 : 0;
    } catch (error) {
      if (error instanceof RailListFailed) console.error(`Nothing was moved: ${error.message}.`);
      else if (grpcCodeOf(error) !== undefined) console.error(TEMPORAL_SILENT);
      else throw error;
      return 1;
    }
  },
};

async function openSource(
  { pool, rails, secretBox }: OpsContext,
  railName: string,
  scope: Parameters<typeof railAccountsOf>[1],
) {
  const stored = (await railAccountsOf(pool, scope)).find(
    ({ account_status: status }) => status === 'active',
  );
  if (!stored || stored.rail !== railName)
    return `The merchant has no active account at ${railName} in ${scope.environment}: run "npm run ops -- rail set" first.`;
  const { rail, account } = openRailAccount({ rails: await rails(), secretBox: secretBox() }, stored);
  if (!rail.source) return `Nothing can be imported from ${railName}.`;
  if (!account.capabilities.recurring)
    return `${account.id} cannot charge stored cards: run "npm run ops -- rail check ${account.id} --apply" when it can.`;
  return { source: rail.source, account };
}

function isToDecide({ state, why }: ImportRow): boolean {
  return (state === 'moved' || state === 'there') && why.length > 0;
}

function print(rows: readonly ImportRow[], { json, yes }: { readonly json: boolean; readonly yes: boolean }) {
  if (json) return console.log(JSON.stringify(rows));
  printTable(
    ['What', 'There', 'State', 'Here', 'Why'],
    rows.map(({ kind, source, state, id, why }) => [kind, source, state, id ?? '', why.join(' ')]),
  );
  const count = (...states: readonly ImportRow['state'][]) =>
    rows.filter(({ state }) => states.includes(state)).length;
  console.log(
    `\n${count('moves')} to move, ${count('moved')} moved, ${count('there')} moved before, ${count('stays')} stay, ` +
      `${count('unknown')} unknown, ${rows.filter(isToDecide).length} to decide.${yes ? '' : ' Nothing was changed: add --yes to import.'}`,
  );
}
