/** Queries and changes for the page's merchant and environment. */
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { useAt } from './at.ts';
import { type Answer, type Call, type OperationId, Problem } from './client.ts';
import { useClient } from './context.ts';

/** Fast enough that a purchase appears on an open page within two seconds. */
const LIVE_MS = 1_500;
/** Counting a merchant's 500,000 payments takes a second. */
const SLOW_MS = 20_000;

interface Reading {
  /** Polls while the page is visible; use `slowly` for queries that read many rows. */
  readonly live?: boolean | 'slowly';
  readonly enabled?: boolean;
}

export function useRead<Id extends OperationId>(id: Id, how: Call<Id> = {}, reading: Reading = {}) {
  const client = useClient();
  const { merchantId } = useAt();
  const { live = false, enabled = true } = reading;
  return useQuery<Answer<Id>>({
    queryKey: [merchantId, id, how],
    queryFn: () => client.call(id, at(merchantId, how)),
    enabled,
    placeholderData: keepPreviousData,
    ...(live && { refetchInterval: live === 'slowly' ? SLOW_MS : LIVE_MS }),
  });
}

/**
 * A change that afterwards refetches this merchant's queries, without waiting for them.
 * @param gone queries whose object no longer exists afterwards, which are not refetched
 */
export function useChange<Id extends OperationId>(id: Id, gone?: OperationId) {
  const client = useClient();
  const queries = useQueryClient();
  const { merchantId } = useAt();
  return useMutation<Answer<Id>, Error, Call<Id>>({
    mutationFn: (how) => client.call(id, at(merchantId, how)),
    onSettled: () =>
      void queries.invalidateQueries({
        queryKey: [merchantId],
        predicate: ({ queryKey: [, asked] }) => asked !== gone,
      }),
  });
}

/** A change that is sent under the same idempotency key until its outcome is known. */
export function useKeyedChange<Id extends OperationId>(id: Id) {
  const [attempt, setAttempt] = useState<{ readonly key: string; readonly request: string } | null>(null);
  const change = useChange(id);
  const send = (how: Call<Id>, onSuccess?: (answer: Answer<Id>) => void) => {
    const request = JSON.stringify(how);
    // Repeating the same request gets the lost response; a corrected request is a different one.
    const idempotencyKey = attempt?.request === request ? attempt.key : crypto.randomUUID();
    setAttempt({ key: idempotencyKey, request });
    change.mutate(
      { ...how, idempotencyKey },
      {
        onSuccess: (answer) => onSuccess?.(answer),
        // A refusal is stored under its key for good, so the next click needs a new key.
        onError: (problem) => isRefusal(problem) && setAttempt(null),
      },
    );
  };
  return { change, send };
}

/** Whether nothing was done under this key. False if that is unknown: without a response, or if the key was sent before. */
function isRefusal(problem: Error): boolean {
  if (!(problem instanceof Problem)) return false;
  return [400, 404, 409, 422, 501].includes(problem.status) && !problem.code.startsWith('idempotency_key_');
}

/** Every operation here has the page's merchant in its path. */
function at<Id extends OperationId>(merchantId: string, how: Call<Id>): Call<Id> {
  return { ...how, path: { merchantId, ...how.path } as Call<Id>['path'] };
}
