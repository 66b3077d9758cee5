import type { Client } from '@temporalio/client';

/** A client that reports an old start for every run: the sweep spares young runs, whose row may only be late. */
export function withOldRuns(client: Client): Client {
  const getHandle = (...which: Parameters<Client['workflow']['getHandle']>) => {
    const handle = client.workflow.getHandle(...which);
    const describe = async () => ({ ...(await handle.describe()), startTime: new Date(0) });
    return { ...handle, describe };
  };
  const workflow = Object.create(client.workflow, { getHandle: { value: getHandle } });
  return Object.create(client, { workflow: { value: workflow } });
}
