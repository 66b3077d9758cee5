import { words } from '../words/words.ts';
import { Button } from './button.tsx';
import { ProblemNote } from './problem.tsx';

interface SaveBarProps {
  /** Distinguishes the buttons of several forms on a page. */
  readonly label?: string;
  readonly of: { readonly error: unknown; readonly isSuccess: boolean; readonly isPending: boolean };
  /** False if the person may not edit the form. */
  readonly allowed: boolean;
  readonly disabled: boolean;
}

/** The end of a form on a page: the result of the last change, and the button for the next. */
export function SaveBar({
  label = words.common.save,
  of: { error, isSuccess, isPending },
  allowed,
  disabled,
}: SaveBarProps) {
  return (
    <>
      <ProblemNote error={error} />
      {isSuccess && (
        <p class="note good" role="status">
          {words.common.saved}
        </p>
      )}
      {allowed && (
        <div class="dialog-actions">
          <Button kind="primary" type="submit" busy={isPending} disabled={disabled}>
            {label}
          </Button>
        </div>
      )}
    </>
  );
}
