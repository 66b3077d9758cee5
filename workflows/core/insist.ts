/** Activities that concern money retry for ever; after a few failures the workflow raises an incident. */
import {
  ApplicationFailure,
  getCurrentDetails,
  isCancellation,
  setCurrentDetails,
  TemporalFailure,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { SubjectLinks } from '../../domain/core/subject-links.ts';
import { searchAttributes } from './messages.ts';
import { goneIn } from './row-gone.ts';
import { describeLinks } from './subject-links.ts';
import { thrownBy } from './thrown-by.ts';

/** Repeats an activity; Temporal retries it without limit and without growing the history. */
export type TryAgain = (input: {
  readonly activity: string;
  readonly args: readonly unknown[];
  readonly reference: string;
}) => Promise<unknown>;

type Activity = (...args: readonly unknown[]) => Promise<unknown>;

/**
 * Wraps the calls. A call that has used up its attempts becomes an incident (rule 40) and is repeated by `tryAgain`
 * until it succeeds.
 */
export function insisting<Calls extends object>(calls: Calls, tryAgain: TryAgain): Calls {
  return new Proxy(calls, {
    get: (target, name) => {
      const activity = String(name);
      return async (...args: readonly unknown[]) => {
        try {
          return await (Reflect.get(target, activity) as Activity)(...args);
        } catch (error) {
          if (isCancellation(error) || goneIn(error) || !(error instanceof TemporalFailure)) throw error;
          const reference = referenceOf(args[0]);
          const restoreDetails = showIncident(activity, reference, failureOf(error));
          const result = await tryAgain({ activity, args, reference });
          restoreDetails();
          return result;
        }
      };
    },
  });
}

/** @returns a function that restores the previous details */
function showIncident(activity: string, reference: string, { code, pages }: FailedActivity): () => void {
  const details = getCurrentDetails();
  const { needsOperator } = searchAttributes;
  const needed = workflowInfo().typedSearchAttributes.get(needsOperator) ?? false;
  const words = [
    `**Not recorded:** \`${activity}\` of \`${reference}\` fails with \`${code}\`. It is retried every few seconds, and`,
    'the workflow continues once the cause is gone. Nothing has to be repeated by hand.',
  ];
  const links = describeLinks(pages).join('\n').trim();
  setCurrentDetails([words.join(' '), links, details].filter(Boolean).join('\n\n'));
  if (!needed) upsertSearchAttributes([{ key: needsOperator, value: true }]);
  return () => {
    setCurrentDetails(details);
    if (!needed) upsertSearchAttributes([{ key: needsOperator, value: false }]);
  };
}

interface FailedActivity {
  /** PostgreSQL's code, if the activity reported one. */
  readonly code: string;
  /** Absent in the failure of a worker that died. */
  readonly pages?: SubjectLinks | undefined;
}

function failureOf(error: TemporalFailure): FailedActivity {
  const failure = thrownBy(error);
  if (!(failure instanceof ApplicationFailure)) return { code: failure.name };
  const [about] = (failure.details ?? []) as readonly { readonly pages?: SubjectLinks }[];
  return { code: failure.type || failure.name, pages: about?.pages };
}

/** The id that the call concerns, preferably the attempt's. */
function referenceOf(input: unknown): string {
  if (typeof input === 'string') return input;
  const named = Object(input) as Readonly<Record<string, unknown>>;
  const ids = ['attemptId', 'paymentId', 'owner', 'subscriptionId', 'checkoutId'].map((name) => named[name]);
  const id = ids.find((each) => typeof each === 'string');
  return typeof id === 'string' ? id : workflowInfo().workflowId;
}
