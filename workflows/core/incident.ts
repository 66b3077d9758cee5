/** Shows a failing activity to operators in Temporal UI. */
import {
  ApplicationFailure,
  getCurrentDetails,
  setCurrentDetails,
  type TemporalFailure,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { SubjectLinks } from '../../domain/core/subject-links.ts';
import { searchAttributes } from './messages.ts';
import { describeLinks } from './subject-links.ts';
import { thrownBy } from './thrown-by.ts';

/** @returns a function that shows the previous details again */
export function showIncident(activity: string, reference: string, error: TemporalFailure): () => void {
  const { code, pages } = failureOf(error);
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
  /** Absent if the worker died before it could add them. */
  readonly pages?: SubjectLinks | undefined;
}

function failureOf(error: TemporalFailure): FailedActivity {
  const failure = thrownBy(error);
  if (!(failure instanceof ApplicationFailure)) return { code: failure.name };
  const [about] = (failure.details ?? []) as readonly { readonly pages?: SubjectLinks }[];
  return { code: failure.type || failure.name, pages: about?.pages };
}

/** The id that the input is about, preferably the attempt's. */
export function referenceOf(input: unknown): string {
  if (typeof input === 'string') return input;
  const named = Object(input) as Readonly<Record<string, unknown>>;
  const ids = ['attemptId', 'ownerId', 'subscriptionId', 'checkoutId'].map((name) => named[name]);
  const id = ids.find((each) => typeof each === 'string');
  return typeof id === 'string' ? id : workflowInfo().workflowId;
}
