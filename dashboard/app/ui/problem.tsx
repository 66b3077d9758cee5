import { Problem } from '../api/client.ts';
import { words } from '../words/words.ts';
import { Copy } from './copy.tsx';

/** Objects of another merchant or environment are reported as not found, like unknown ones. */
export const notHere = (
  kind: 'payment' | 'subscription' | 'customer' | 'invoice' | 'credit_note' | 'checkout',
) => new Problem(404, `${kind}_not_found`, '', null);

/** Codes whose message names the field or the reason, in English only. */
const DETAILED = ['invalid_request', 'unknown_field', 'rail_account_refused', 'product_image_refused'];

/** The error, with the id that support asks for. */
export function ProblemNote({ error }: { readonly error: unknown }) {
  if (!error) return null;
  const problem = error instanceof Problem ? error : null;
  return (
    <div class="note bad" role="alert">
      <p>{textOf(problem)}</p>
      {problem && DETAILED.includes(problem.code) && problem.code in words.problems.ofApi && (
        <p class="small" lang="en">
          {problem.message}
        </p>
      )}
      {problem?.requestId && (
        <p class="small">
          {words.problems.requestId} <Copy value={problem.requestId} />
        </p>
      )}
    </div>
  );
}

function textOf(problem: Problem | null): string {
  if (!problem) return words.problems.unknown;
  const known: Readonly<Record<string, string>> = { ...words.problems.ofApi, ...words.problems.byCode };
  return known[problem.code] ?? (problem.message || words.problems.unknown);
}
