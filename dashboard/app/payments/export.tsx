import { useEffect, useRef, useState } from 'preact/hooks';
import { useAt } from '../api/at.ts';
import type { Call } from '../api/client.ts';
import { useClient } from '../api/context.ts';
import type { Operations } from '../api/description.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { ProblemNote } from '../ui/problem.tsx';
import { words } from '../words/words.ts';
import { type ExportId, filesInWords, translator } from './export-words.ts';
import { fileNameOf } from './file-name.ts';

interface ExportProps<Id extends ExportId> {
  readonly list: Id;
  readonly filter: Operations[Id]['query'];
}

/** Downloads the filtered list as a file, and shows the size so far. Leaving the page cancels it. */
export function Export<Id extends ExportId>({ list, filter }: ExportProps<Id>) {
  const client = useClient();
  const { merchantId, access } = useAt();
  const reading = useRef<AbortController | null>(null);
  const [bytes, setBytes] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);
  const stop = () => reading.current?.abort();
  useEffect(() => stop, []);
  const save = async () => {
    const ending = new AbortController();
    const { signal } = ending;
    reading.current = ending;
    setError(null);
    setBytes(0);
    try {
      const path = { merchantId } as Call<Id>['path'];
      const response = await client.open(list, { path, query: filter, signal });
      const parts = await readAll(
        response,
        translator(filesInWords(words)[list], access.time_zone),
        setBytes,
      );
      download(
        new Blob(parts, { type: 'text/csv' }),
        fileNameOf(response.headers.get('content-disposition') ?? ''),
      );
    } catch (problem) {
      if (!signal.aborted) setError(problem);
    }
    setBytes(null);
  };
  return (
    <>
      <ProblemNote error={error} />
      {bytes !== null && <Button onClick={stop}>{words.common.cancel}</Button>}
      <Button busy={bytes !== null} onClick={() => void save()}>
        <Icon name="download" />
        {bytes === null ? words.lists.export : words.lists.exporting(Math.round(bytes / 1_024))}
      </Button>
    </>
  );
}

/** @param onBytes receives the number of bytes read so far */
async function readAll(
  response: Response,
  translated: (chunk: string) => string,
  onBytes: (bytes: number) => void,
): Promise<string[]> {
  const parts: string[] = [];
  // Keeps the byte order mark, by which Excel recognizes UTF-8.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let bytes = 0;
  const reader = response.body?.getReader();
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    parts.push(translated(decoder.decode(next.value, { stream: true })));
    bytes += next.value.length;
    onBytes(bytes);
  }
  return parts;
}

function download(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
