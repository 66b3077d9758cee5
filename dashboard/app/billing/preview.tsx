/** The preview of an operation on a subscription: its effect, calculated by the API, as text above the button. */
import type { Operations, Schemas } from '../api/description.ts';
import { useRead } from '../api/use.ts';
import { ProblemNote } from '../ui/problem.tsx';
import { words } from '../words/words.ts';
import type { ActionProps } from './subscription-command.ts';

type Previewed = Schemas['ChangePreviewAnswer'];
interface Preview {
  /** Undefined until the API has answered for these values. */
  readonly previewed: Previewed | undefined;
  readonly error: unknown;
  readonly isAwaited: boolean;
}

/**
 * @param query null while values are missing
 * @param isUnsent false once the operation was sent: the API would then refuse a preview
 */
export function usePreview(
  { id }: ActionProps['subscription'],
  query: Operations['previewSubscriptionChange']['query'] | null,
  isUnsent: boolean,
): Preview {
  const enabled = query !== null && isUnsent;
  const { data, error, isPlaceholderData } = useRead(
    'previewSubscriptionChange',
    { path: { subscriptionId: id }, query: query ?? { effective: 'now' } },
    { enabled },
  );
  const previewed = isPlaceholderData || error ? undefined : data;
  return { previewed, error, isAwaited: enabled && !previewed && !error };
}

interface PreviewNoteProps {
  readonly preview: Preview;
  readonly text: (previewed: Previewed) => string;
}

export function PreviewNote({ preview: { previewed, error, isAwaited }, text }: PreviewNoteProps) {
  if (isAwaited) {
    return (
      <p class="note loading" role="status">
        {words.common.loading}
      </p>
    );
  }
  return previewed ? <p class="note">{text(previewed)}</p> : <ProblemNote error={error} />;
}
