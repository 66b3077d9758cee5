import { Problem } from '../api/client.ts';
import { faultText, problemText } from '../words/problem-text.ts';
import { words } from '../words/words.ts';
import { Copy } from './copy.tsx';
import { useIsBesideField, useIsEdited } from './form.tsx';

/** Objects of another merchant or environment are reported as not found, like unknown ones. */
export const notHere = (
  kind:
    | 'payment'
    | 'subscription'
    | 'customer'
    | 'invoice'
    | 'credit_note'
    | 'checkout'
    | 'webhook_endpoint'
    | 'webhook_event',
) => new Problem(404, `${kind}_not_found`, '', null);

/** Codes whose message gives the reason, in English only. */
const DETAILED = ['rail_account_refused', 'product_image_refused'];

/** The error, with the id that support asks for. If a field shows the error, only a pointer to it. */
export function ProblemNote({ error }: { readonly error: unknown }) {
  if (!error) return null;
  return <Note problem={error instanceof Problem ? error : null} />;
}

function Note({ problem }: { readonly problem: Problem | null }) {
  const isBesideField = useIsBesideField(problem);
  if (useIsEdited(problem)) return null;
  return (
    <div class="note bad" role="alert">
      <p>{isBesideField ? words.problems.marked : problemText(problem)}</p>
      {problem && hasDetail(problem, isBesideField) && <Detail of={problem} />}
      {problem?.requestId && (
        <p class="small">
          {words.problems.requestId} <Copy value={problem.requestId} />
        </p>
      )}
    </div>
  );
}

const hasDetail = ({ code }: Problem, isBesideField: boolean): boolean =>
  code in words.problems.ofApi && (!isBesideField || DETAILED.includes(code));

/** The field and the reason of an error whose message names neither. */
function Detail({ of: problem }: { readonly of: Problem }) {
  const { code, message, fault } = problem;
  const isNamed = code in words.problems.ofApi && code !== 'invalid_request' && code !== 'unknown_field';
  const reason = isNamed ? null : faultText(problem);
  if (reason)
    return (
      <p class="small">
        {fault?.field && <code class="break">{fault.field}: </code>}
        {reason}
      </p>
    );
  if (isNamed && !DETAILED.includes(code)) return null;
  return (
    <p class="small" lang="en">
      {message}
    </p>
  );
}
