/** Queries and commands for operators, who act across merchants. */
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/preact-query';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Answer, Call, OperationId } from '../api/client.ts';
import { useClient } from '../api/context.ts';

const KEY = 'operations';
/** The polling interval is long, because each list reads rows of all merchants. */
const AGAIN_MS = 5_000;

export const MayActContext = createContext(false);
export const useMayAct = () => useContext(MayActContext);

export function useOperatorRead<Id extends OperationId>(id: Id, how: Call<Id> = {}, enabled = true) {
  const client = useClient();
  return useQuery<Answer<Id>>({
    queryKey: [KEY, id, how],
    queryFn: () => client.call(id, how),
    enabled,
    placeholderData: keepPreviousData,
    refetchInterval: AGAIN_MS,
  });
}

export function useOperatorChange<Id extends OperationId>(id: Id) {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation<Answer<Id>, Error, Call<Id>>({
    mutationFn: (how) => client.call(id, how),
    onSettled: () => void queries.invalidateQueries({ queryKey: [KEY] }),
  });
}
