/** Pauses and resumes new attempts at a rail or at one of its accounts. */
import { findBreakerTarget, pauseRail, resumeRail } from '../../../db/payment/rail-breaker.ts';
import { type OpsCommand, parseOpsArgs, WrongArguments } from '../core/command.ts';

const WHAT = '<rail account id | rail:environment>';

export const pauseRailCommand: OpsCommand = {
  usage: `pause-rail ${WHAT} --reason <why>`,

  help: `Refuses new attempts at a rail account, or at a whole rail in an environment ("stripe:production"), until
"resume-rail". POST /v1/checkouts answers 503 payment_rail_unavailable, the hosted page asks the buyer to try again in
a few minutes, and renewals wait. Look-ups and returns continue.
Exit code: 0 if it is paused now, 1 if it was paused before, 2 for invalid arguments.`,

  run: commandOf(pauseRail, { done: 'is paused.', before: 'was already paused.' }),
};

export const resumeRailCommand: OpsCommand = {
  usage: `resume-rail ${WHAT} --reason <why>`,

  help: `Allows new attempts again, even while they are refused because the rail did not answer: without this
command they pass again after the first attempt that the rail answers.
Exit code: 0 if attempts pass now, 1 if they passed before, 2 for invalid arguments.`,

  run: commandOf(resumeRail, {
    done: 'accepts new attempts.',
    before: 'was already accepting new attempts.',
  }),
};

function commandOf(
  change: typeof pauseRail,
  words: { readonly done: string; readonly before: string },
): OpsCommand['run'] {
  return async (args, { pool, actor }) => {
    const { values, positionals } = parseOpsArgs(args, {
      reason: { type: 'string' },
    });
    const [named] = positionals;
    if (!named) throw new WrongArguments('A rail account id, or a rail and environment, is required.');
    const reason = values.reason?.trim();
    if (!reason) throw new WrongArguments('--reason is required.');
    const target = await findBreakerTarget(pool, named);
    if (!target)
      throw new Error(
        `${named} is neither a rail account nor a rail and environment such as stripe:production.`,
      );
    const changed = await change(pool, target, { actor: await actor(), reason });
    if (values.json) console.log(JSON.stringify({ rail: named, changed }));
    else console.log(`${named} ${changed ? words.done : words.before}`);
    return changed ? 0 : 1;
  };
}
