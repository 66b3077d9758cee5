import { words } from '../words/words.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { ProblemNote } from './problem.tsx';

interface ConfirmProps {
  readonly title: string;
  /** The effect, in full. */
  readonly text: string;
  readonly action: string;
  readonly danger?: boolean;
  readonly busy: boolean;
  readonly error: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks for one confirmation and states the effect. */
export function Confirm({ title, text, action, danger, busy, error, onConfirm, onClose }: ConfirmProps) {
  return (
    <Dialog title={title} onClose={onClose} busy={busy}>
      <p>{text}</p>
      <ProblemNote error={error} />
      <div class="dialog-actions">
        <Button onClick={onClose} disabled={busy}>
          {words.common.cancel}
        </Button>
        <Button kind={danger ? 'danger' : 'primary'} busy={busy} onClick={onConfirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
