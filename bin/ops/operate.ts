/** Operators' commands about one subject, executed like the routes under `/v1/operations`. */
import { carryOut } from '../../api/operations/carry-out.ts';
import type { OperateDeps } from '../../api/operations/operate-deps.ts';
import { confirm, withdraw } from '../../api/operations/second-person.ts';
import {
  type CommandAnswer,
  type OperatorCommand,
  operatorCommand,
} from '../../contract/operations/commands.ts';
import { TAKES } from '../../contract/operations/fitting-commands.ts';
import type { Subject } from '../../contract/operations/subjects.ts';
import { readOperatorRequests } from '../../db/operations/stored-requests.ts';
import { plainAmount } from '../../domain/core/money.ts';
import { confirmed } from './core/ask-to-confirm.ts';
import {
  type OpsCommand,
  type OpsContext,
  parseOpsArgs,
  temporalAnswers,
  WrongArguments,
  wrongOption,
} from './core/command.ts';
import { onlySubject } from './core/named-subject.ts';
import { requestLines } from './core/request-lines.ts';

const TIMEOUT_MS = 60_000;

const ACTOR = 'The actor is the person whose token is in OPS_TOKEN, or else the user of this machine.';
const AUDITED = "into the audit log: do not enter buyers' names.";
const SECOND_PERSON = `Above SECOND_PERSON_ABOVE it is stored until another person runs "confirm" with the printed id.`;
const ANY_ID = `Ids of the rail, the merchant and the buyer are accepted as well ("search" lists them), unless several objects that the command takes have the same id.`;
const EXIT_CODES = 'Exit code: 0 if done, 1 if refused or not done yet, 2 for invalid arguments.';

interface Command {
  /** The id's description, for the usage and for the message when it is missing. */
  readonly id: readonly [usage: string, described: string];
  readonly command: OperatorCommand['command'];
  /** Names of the fields besides `command`, as options. */
  readonly fields: readonly string[];
  readonly usage: string;
  readonly help: string;
  /** Question to confirm first, unless --yes is given. */
  readonly question?: (subject: Subject, fields: Readonly<Record<string, unknown>>) => string;
}

function actorAnd(fields: readonly string[]): string {
  if (fields.includes('evidence')) return `${ACTOR}\nReason and evidence go ${AUDITED}`;
  return fields.includes('reason') ? `${ACTOR}\nThe reason goes ${AUDITED}` : ACTOR;
}

function operating({
  id: [placeholder, described],
  command,
  fields,
  usage,
  help,
  question,
}: Command): OpsCommand {
  function read(args: readonly string[]) {
    const { values, positionals } = parseOpsArgs(args, 1, {
      ...Object.fromEntries(fields.map((name) => [optionOf(name), { type: 'string' as const }])),
      yes: { type: 'boolean', default: false },
    });
    const given: Readonly<Record<string, unknown>> = values;
    const [named] = positionals;
    if (!named) throw new WrongArguments(`${described} is required.`);
    const asked = Object.fromEntries(fields.map((name) => [name, given[optionOf(name)]]));
    const parsed = operatorCommand.safeParse({ command, ...asked });
    if (!parsed.success) throw wrongOption(parsed.error, asked, optionOf);
    return { named, asked, parsed: parsed.data, yes: given.yes === true, json: given.json === true };
  }

  return {
    usage: `${usage} ${placeholder}${fields.map((name) => ` --${optionOf(name)} <…>`).join('')}${question ? ' [--yes]' : ''}`,
    help: `${help}\n${ANY_ID}\n${actorAnd(fields)}${question ? '\nAsks for confirmation; --yes skips it, for scripts.' : ''}\n${EXIT_CODES}`,

    check: (args) => void read(args),
    async run(args, context) {
      const { named, asked, parsed, yes, json } = read(args);
      const subject = await onlySubject(context.pool, named, TAKES[command]);
      if (!subject) return 1;
      if (subject.id !== named) console.error(`${named} is ${subject.kind} ${subject.id}.`);
      const wanted = question?.(subject, asked);
      if (wanted && !(await confirmed(wanted, context.input, yes))) return 1;
      const actor = { actor: await context.actor() };
      return print(await temporalAnswers(carryOut(depsOf(context), subject, parsed, actor)), json);
    },
  };
}

const optionOf = (field: string) => field.replace('_id', '').replaceAll('_', '-');

function depsOf({ pool, temporal, session, secondPersonAbove }: OpsContext): OperateDeps {
  return {
    pool,
    client: temporal,
    session,
    secondPersonAbove,
    timeoutMs: TIMEOUT_MS,
    note: (words) => console.error(words),
  };
}

function print(answer: CommandAnswer, json: boolean): number {
  console.log(json ? JSON.stringify(answer) : answer.message);
  return answer.done ? 0 : 1;
}

export const resolve = operating({
  id: ['<ap_chk_… | ap_sub_… | ap_ref_…>', 'The id of a session, subscription or refund'],
  command: 'resolve',
  fields: ['outcome', 'reason', 'evidence'],
  usage: 'resolve',
  help: `Settles by hand an outcome that the rail cannot report, as --outcome succeeded or failed: a session, a subscription's charge
or a refund in doubt. The rail is asked once more and never contradicted: if its answer differs, it is recorded and the
request is refused. "failed" first cancels the attempt at the rail. The request is stored before the workflow is
signalled, so that it survives any crash. ${SECOND_PERSON}`,
});

export const returned = operating({
  id: ['<ap_pay_…>', 'The id of a payment (ap_pay_…)'],
  command: 'returned',
  fields: ['reason', 'evidence'],
  usage: 'returned',
  help: `Records that you returned an orphaned charge to the buyer yourself, for example by bank transfer.
Refunds and cancellations made in the rail's dashboard are found without this command.
From then on the charge is no longer returned automatically. ${SECOND_PERSON}`,
  question: ({ id, amount, currency, merchant_id: merchant }) =>
    `Record ${plainAmount(amount ?? 0, currency ?? '')} of ${id} (${merchant}) as returned?`,
});

export const disputeClose = operating({
  id: ['<ap_dis_…>', 'The id of a dispute (ap_dis_…)'],
  command: 'dispute_close',
  fields: ['status', 'reason', 'evidence'],
  usage: 'dispute close',
  help: `Records how a dispute ended, as --status won or lost, when its rail account can no longer be asked. Normally the
rail's answer closes it. "lost" ends the renewals of its subscription, as a loss reported by the rail does. ${SECOND_PERSON}`,
  question: ({ id }, { status }) => `Record dispute ${id} as ${String(status)}?`,
});

export const credit = operating({
  id: ['<ap_inv_…>', 'The id of an invoice (ap_inv_…)'],
  command: 'credit',
  fields: ['reason', 'evidence'],
  usage: 'credit',
  help: `Issues a credit note for an uncollectible invoice that is not credited yet. Merchants with the setting
credit_note_on_uncollectible get theirs when the subscription ends. ${SECOND_PERSON}`,
  question: ({ id, amount, currency, merchant_id: merchant }) =>
    `Credit ${plainAmount(amount ?? 0, currency ?? '')} of ${id} (${merchant})?`,
});

export const ask = operating({
  id: [
    '<ap_chk_… | ap_sub_… | ap_ref_… | ap_pay_… | ap_dis_…>',
    'The id of a session, subscription, refund, payment or dispute',
  ],
  command: 'ask',
  fields: [],
  usage: 'ask',
  help: 'Asks the rail now, through the workflow that handles it or, for a dispute, through the sweep, and prints its answer.',
});

export const stopMerchant = operating({
  id: ['<ap_mer_…>', 'The id of a merchant (ap_mer_…)'],
  command: 'stop_merchant',
  fields: ['reason'],
  usage: 'stop-merchant',
  help: `Refuses the merchant's keys at once, in every process, until "start-merchant". Open sessions and subscriptions
continue.`,
  question: ({ id }) => `Stop ${id} from selling?`,
});

export const startMerchant = operating({
  id: ['<ap_mer_…>', 'The id of a merchant (ap_mer_…)'],
  command: 'start_merchant',
  fields: ['reason'],
  usage: 'start-merchant',
  help: 'Accepts a merchant\'s keys again after "stop-merchant".',
  question: ({ id }) => `Let ${id} sell again?`,
});

const ENDPOINT = ['<ap_whe_…>', 'The id of a webhook endpoint (ap_whe_…)'] as const;

export const endpointPause = operating({
  id: ENDPOINT,
  command: 'endpoint_pause',
  fields: ['reason'],
  usage: 'endpoint pause',
  help: "Holds the endpoint's events until it is resumed.",
});

export const endpointResume = operating({
  id: ENDPOINT,
  command: 'endpoint_resume',
  fields: ['reason'],
  usage: 'endpoint resume',
  help: 'Enables an endpoint that was paused or disabled. Events held while it was disabled wait for "endpoint recover".',
});

export const endpointRedeliver = operating({
  id: ENDPOINT,
  command: 'endpoint_redeliver',
  fields: ['event_id', 'reason'],
  usage: 'endpoint redeliver',
  help: 'Resends one event (--event evt_…) now.',
});

export const endpointRecover = operating({
  id: ENDPOINT,
  command: 'endpoint_recover',
  fields: ['since', 'reason'],
  usage: 'endpoint recover',
  help: 'Resends the events since a given time that the endpoint has not accepted (--since 2026-05-03T10:00:00Z).',
});

const RAIL = [
  '<rail account id | rail:environment>',
  'A rail account id, or a rail and environment,',
] as const;

export const pauseRail = operating({
  id: RAIL,
  command: 'pause_rail',
  fields: ['reason'],
  usage: 'pause-rail',
  help: `Refuses new attempts at a rail account, or at a whole rail in an environment ("stripe:production"), until
"resume-rail". POST /v1/checkouts answers 503 payment_rail_unavailable, the hosted page asks the buyer to try again in
a few minutes, and renewals wait. Look-ups and returns continue.`,
});

export const resumeRail = operating({
  id: RAIL,
  command: 'resume_rail',
  fields: ['reason'],
  usage: 'resume-rail',
  help: `Allows new attempts again, even while they are refused because the rail did not answer: without this
command they pass again after the first attempt that the rail answers.`,
});

/** Confirms another person's request, as the second person. */
export const confirmCommand: OpsCommand = {
  usage: 'confirm <ap_opr_…> [--yes]',

  help: `Executes a command about a large amount that a colleague has requested ("list" and "why" show it, as
second_person_needed). The person who confirms must not be the requester. "withdraw" cancels a wrong one. ${ACTOR}
At a terminal it shows the command with its reason and evidence, and asks for confirmation; --yes skips it.
${EXIT_CODES}`,

  async run(args, context) {
    const { values, positionals } = parseOpsArgs(args, 1, {
      yes: { type: 'boolean', default: false },
    });
    const [requestId] = positionals;
    if (!requestId) throw new WrongArguments('The id of a request (ap_opr_…) is required.');
    const request = (await readOperatorRequests(context.pool, [requestId])).get(requestId);
    if (request) for (const line of requestLines(request)) console.error(line);
    // Asks only at a terminal, so that scripts without --yes continue to work.
    const isAsked = request && context.input.isTTY && !values.yes;
    if (isAsked && !(await confirmed(`Confirm the request by ${request.asked_by}?`, context.input, false)))
      return 1;
    const actor = { actor: await context.actor() };
    return print(await confirm(depsOf(context), requestId, actor), values.json);
  },
};

export const withdrawCommand: OpsCommand = {
  usage: 'withdraw <ap_opr_…> --reason <why>',

  help: `Withdraws a command that waits for a second person, so that another can be made: your own, or a colleague's
that you reject. A confirmed one cannot be withdrawn. ${actorAnd(['reason'])}
${EXIT_CODES}`,

  async run(args, context) {
    const { values, positionals } = parseOpsArgs(args, 1, {
      reason: { type: 'string' },
    });
    const [requestId] = positionals;
    if (!requestId) throw new WrongArguments('The id of a request (ap_opr_…) is required.');
    const reason = values.reason?.trim();
    if (!reason) throw new WrongArguments('--reason is required.');
    return print(await withdraw(context, requestId, { actor: await context.actor(), reason }), values.json);
  },
};
