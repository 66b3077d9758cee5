/** Executes operators' commands that need no further confirmation. */
import type { CommandAnswer, OperatorCommand } from '../../contract/operations/commands.ts';
import { closedByPerson } from '../../contract/operations/fitting-commands.ts';
import type { IncidentKind } from '../../contract/operations/incident-kinds.ts';
import { stateInWords } from '../../contract/operations/states-in-words.ts';
import type { Subject } from '../../contract/operations/subjects.ts';
import type { Actor } from '../../db/core/audit.ts';
import type { Pool } from '../../db/core/pool.ts';
import { closeDispute } from '../../db/dispute/close-dispute.ts';
import { changeMerchantStatus } from '../../db/merchant/merchants.ts';
import { closeIncident } from '../../db/operations/close-incident.ts';
import { searchSubjects } from '../../db/operations/search.ts';
import { findBreakerTarget, pauseRail, resumeRail } from '../../db/payment/rail-breaker.ts';
import { creditByOperator } from '../../db/subscription/credit-uncollectible.ts';
import { wake } from '../../platform/temporal/messages.ts';
import { askRailNow } from './ask-rail.ts';
import { type CommandName, type CommandOf, done } from './command-answer.ts';
import { commandEndpoint } from './command-endpoint.ts';
import type { OperateDeps } from './operate-deps.ts';
import { OperationRefused } from './refused.ts';
import { orLeftToSweep, recordReturned, resolve } from './resolve.ts';

type Handler<Command> = (
  deps: OperateDeps,
  subject: Subject,
  command: Command,
  actor: Actor,
) => Promise<CommandAnswer>;

/** @throws OperationRefused, whose message states what to do */
export function runCommand(
  deps: OperateDeps,
  subject: Subject,
  command: OperatorCommand,
  actor: Actor,
): Promise<CommandAnswer> {
  const handle = HANDLERS[command.command] as Handler<OperatorCommand>;
  return handle(deps, subject, command, actor);
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

const breakerHandler =
  (
    change: typeof pauseRail,
    words: string,
    before: string,
  ): Handler<CommandOf<'pause_rail' | 'resume_rail'>> =>
  async ({ pool }, { id }, { reason }, actor) => {
    const target = await findBreakerTarget(pool, id);
    if (!target || !(await change(pool, target, { ...actor, reason })))
      throw new OperationRefused(`${id} ${before}.`);
    return done(`${id} ${words}.`);
  };

const merchantHandler =
  (
    status: 'active' | 'inactive',
    words: { readonly done: string; readonly before: string },
  ): Handler<CommandOf<'stop_merchant' | 'start_merchant'>> =>
  async ({ pool }, { id }, { reason }, actor) => {
    if (!(await changeMerchantStatus(pool, id, status, { ...actor, reason })))
      throw new OperationRefused(`${id} ${words.before}`);
    return done(`${id} ${words.done}`);
  };

const HANDLERS: { readonly [Name in CommandName]: Handler<CommandOf<Name>> } = {
  resolve,
  returned: recordReturned,
  ask: (deps, subject) => askRailNow(deps, subject),
  pause_rail: breakerHandler(pauseRail, 'accepts no new attempts until resume-rail', 'was already paused'),
  resume_rail: breakerHandler(resumeRail, 'accepts new attempts', 'was already accepting new attempts'),
  endpoint_pause: commandEndpoint,
  endpoint_resume: commandEndpoint,
  endpoint_redeliver: commandEndpoint,
  endpoint_recover: commandEndpoint,

  async dispute_close(deps, { id }, { status, reason, evidence }, { actor }) {
    const closing = { status, reason, evidence, operator: actor };
    const { answer, stopped } = await closeDispute(deps.pool, id, closing);
    if (stopped !== null) await orLeftToSweep(deps, () => wake(deps, stopped));
    if (answer !== 'recorded')
      throw new OperationRefused(`${id} is already closed: see npm run ops -- why ${id}.`);
    return done(`${id} is recorded as ${status}.`);
  },

  async credit({ pool }, { id }, { reason, evidence }, actor) {
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

  incident_close: ({ pool }, { id }, { kind, reason }, actor) =>
    closeByPerson(pool, { kind, id }, { ...actor, reason }),
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
