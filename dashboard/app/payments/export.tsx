import { useState } from 'preact/hooks';
import { useAt } from '../api/at.ts';
import type { Call } from '../api/client.ts';
import { useClient } from '../api/context.ts';
import type { Operations } from '../api/description.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { ProblemNote } from '../ui/problem.tsx';
import { words } from '../words/words.ts';

const FILES = {
  exportPayments: 'payments.csv',
  exportCheckouts: 'checkouts.csv',
  exportSubscriptions: 'subscriptions.csv',
  exportInvoices: 'invoices.csv',
} as const;
type ExportId = keyof typeof FILES;

interface ExportProps<Id extends ExportId> {
  readonly list: Id;
  readonly filter: Operations[Id]['query'];
}

/** The list as it is filtered, as a file; its size so far while it is read. */
export function Export<Id extends ExportId>({ list, filter }: ExportProps<Id>) {
  const client = useClient();
  const { merchantId } = useAt();
  const [read, setRead] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);
  const save = async () => {
    setError(null);
    setRead(0);
    try {
      const response = await client.open(list, { path: { merchantId } as Call<Id>['path'], query: filter });
      const parts: Uint8Array<ArrayBuffer>[] = [];
      let bytes = 0;
      const reader = response.body?.getReader();
      for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
        parts.push(next.value);
        bytes += next.value.length;
        setRead(bytes);
      }
      download(new Blob(parts, { type: 'text/csv' }), FILES[list]);
    } catch (problem) {
      setError(problem);
    }
    setRead(null);
  };
  return (
    <>
      <ProblemNote error={error} />
      <Button busy={read !== null} onClick={() => void save()}>
        <Icon name="download" />
        {read === null ? words.lists.export : words.lists.exporting(Math.round(read / 1_024))}
      </Button>
    </>
  );
}

function download(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
