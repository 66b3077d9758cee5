import type { ComponentChildren } from 'preact';
import { words } from '../words/words.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Form } from './form.tsx';
import { ProblemNote } from './problem.tsx';

interface FormDialogProps {
  readonly title: string;
  readonly action: string;
  readonly danger?: boolean;
  /** The label of the cancel button; "Cancel" if absent. */
  readonly back?: string;
  /** The cancel button's action; if absent, it closes the dialog. */
  readonly onBack?: () => void;
  /** Disables the submit button. */
  readonly disabled?: boolean;
  readonly busy: boolean;
  readonly error: unknown;
  /** The error of a preview, which the dialog's children show. */
  readonly previewError?: unknown;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A dialog with a form: its fields, the error, and the cancel button next to the action. */
export function FormDialog(props: FormDialogProps) {
  const {
    title,
    action,
    danger,
    back = words.common.cancel,
    disabled,
    busy,
    error,
    previewError,
    onClose,
  } = props;
  const submit = (event: Event) => {
    event.preventDefault();
    props.onSubmit();
  };
  return (
    <Dialog title={title} onClose={onClose} busy={busy}>
      <Form error={error} previewError={previewError} onSubmit={submit}>
        {props.children}
        <ProblemNote error={error} />
        <div class="dialog-actions">
          <Button onClick={props.onBack ?? onClose} disabled={busy}>
            {back}
          </Button>
          <Button kind={danger ? 'danger' : 'primary'} type="submit" busy={busy} disabled={disabled}>
            {action}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
