/** Executes operators' commands that need no further confirmation. */
import type { CommandAnswer, OperatorCommand } from '../../contract/operations/commands.ts';
import { closedByPerson } from '../../contract/operations/fitting-commands.ts';
import type { IncidentKind } from '../../contract/operations/incident-kinds.ts';
import { stateInWords } from '../../contract/operations/states-in-words.ts';
import type { Subject } from '../../contract/operations/subjects.ts';
import type { Actor } from '../../db/core/audit.ts';
import type { Pool } from '../../db/core/pool.ts';
import { closeDispute } from '../../db/dispute/close-dispute.ts';
import { updateMerchant } from '../../db/merchant/merchants.ts';
import { closeIncident } from '../../db/operations/close-incident.ts';
import { searchSubjects } from '../../db/operations/search.ts';
import { findBreakerTarget, pauseRail, resumeRail } from '../../db/payment/rail-breaker.ts';
import { creditByOperator } from '../../db/subscription/credit-uncollectible.ts';
import { wake } from '../../platform/temporal/messages.ts';
import { askRailNow } from './ask-rail.ts';
import { commandEndpoint } from './command-endpoint.ts';
import type { OperateDeps } from './operate-deps.ts';
import { OperationRefused } from './refused.ts';
import { recordReturned, resolve } from './resolve.ts';

type Handler = (
  deps: OperateDeps,
  subject: Subject,
  command: OperatorCommand,
  actor: Actor,
) => Promise<CommandAnswer>;

/** @throws OperationRefused, whose message states what to do */
export function runCommand(
  deps: OperateDeps,
  subject: Subject,
  command: OperatorCommand,
  actor: Actor,
): Promise<CommandAnswer> {
  return HANDLERS[command.command](deps, subject, command, actor);
}

/** @param merchants whose subjects to include; null means all */
export async function subjectById(
  pool: Pool,
  id: string,
  merchants: readonly string[] | null,
): Promise<Subject | null> {
  const found = await searchSubjects(pool, id, merchants, 20);
  return found.find((each) => each.id === id) ?? null;
}

export const done = (message: string): CommandAnswer => ({ done: true, message, waiting_request: null });

const breakerHandler =
  (change: typeof pauseRail, words: string, before: string): Handler =>
  async ({ pool }, { id }, command, actor) => {
    const target = await findBreakerTarget(pool, id);
    const changed =
      target && 'reason' in command && (await change(pool, target, { ...actor, reason: command.reason }));
    if (!changed) throw new OperationRefused(`${id} ${before}.`);
    return done(`${id} ${words}.`);
  };

const merchantHandler =
  (status: 'active' | 'inactive', words: { readonly done: string; readonly before: string }): Handler =>
  async ({ pool }, { id, state }, command, actor) => {
    if (state === status) throw new OperationRefused(`${id} ${words.before}`);
    const reason = 'reason' in command ? command.reason : undefined;
    await updateMerchant(pool, id, { status }, { ...actor, reason });
    return done(`${id} ${words.done}`);
  };

const HANDLERS: Readonly<Record<OperatorCommand['command'], Handler>> = {
  resolve,
  returned: recordReturned,
  ask: (deps, subject) => askRailNow(deps, subject),
  pause_rail: breakerHandler(pauseRail, 'accepts no new attempts until resume-rail', 'was already paused'),
  resume_rail: breakerHandler(resumeRail, 'accepts new attempts', 'was already accepting new attempts'),
  endpoint_pause: commandEndpoint,
  endpoint_resume: commandEndpoint,
  endpoint_redeliver: commandEndpoint,
  endpoint_recover: commandEndpoint,

  async dispute_close(deps, { id }, command, { actor }) {
    if (command.command !== 'dispute_close')
      throw new Error(`expected dispute_close, got ${command.command}`);
    const { status, reason, evidence } = command;
    const { answer, stopped } = await closeDispute(deps.pool, id, {
      status,
      reason,
      evidence,
      operator: actor,
    });
    // If this signal fails, the sweep wakes the subscription.
    if (stopped !== null) await wake(deps, stopped).catch(() => {});
    if (answer !== 'recorded')
      throw new OperationRefused(`${id} is already closed: see npm run ops -- why ${id}.`);
    return done(`${id} is recorded as ${status}.`);
  },

  async credit({ pool }, { id }, command, actor) {
    if (command.command !== 'credit') throw new Error(`expected credit, got ${command.command}`);
    const { reason, evidence } = command;
    const answer = await creditByOperator(pool, id, { ...actor, reason, evidence });
    if (answer.kind === 'credited_before') throw new OperationRefused(`${id} is already credited.`);
    if (answer.kind === 'not_uncollectible') {
      const { means } = stateInWords('invoice', answer.status);
      throw new OperationRefused(
        `Only an uncollectible invoice can be credited. ${id} is ${answer.status}: ${means}`,
      );
    }
    return done(`${id} is credited: ${answer.number}.`);
  },

  stop_merchant: merchantHandler('inactive', {
    done: 'is stopped: its keys are refused; open sessions and subscriptions continue.',
    before: 'was already stopped.',
  }),
  start_merchant: merchantHandler('active', {
    done: 'can sell again: its keys are accepted.',
    before: 'was not stopped.',
  }),

  incident_close({ pool }, { id }, command, actor) {
    if (command.command !== 'incident_close')
      throw new Error(`expected incident_close, got ${command.command}`);
    return closeByPerson(pool, { kind: command.kind, id }, { ...actor, reason: command.reason });
  },
};

/** @throws OperationRefused if the incident closes automatically, or is not open */
export async function closeByPerson(
  pool: Pool,
  { kind, id }: { readonly kind: IncidentKind; readonly id: string },
  actor: Actor & { readonly reason: string },
): Promise<CommandAnswer> {
  if (!closedByPerson(kind))
    throw new OperationRefused(
      `Incidents of kind ${kind} close automatically: see npm run ops -- why ${id}.`,
    );
  if (!(await closeIncident(pool, kind, id, actor))) throw new OperationRefused(`${id} has no open ${kind}.`);
  return done(`${kind} of ${id} is closed.`);
}
