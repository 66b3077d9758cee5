/** A dialog for a command whose effect the API previews: it is described before the command can be sent. */
import type { ComponentChildren } from 'preact';
import type { Operations, Schemas } from '../api/description.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { PreviewNote, usePreview } from './preview.tsx';
import { type ActionProps, useCommand } from './subscription-command.ts';

type Previewed = Schemas['ChangePreviewAnswer'];

interface PreviewedCommandProps extends ActionProps {
  readonly title: string;
  readonly action: string;
  /** Null while values are missing. */
  readonly query: Operations['previewSubscriptionChange']['query'] | null;
  readonly commandFor: (previewed: Previewed) => Operations['commandSubscription']['body'];
  readonly text: (previewed: Previewed) => string;
  readonly children?: ComponentChildren;
}

export function PreviewedCommand(props: PreviewedCommandProps) {
  const { subscription, onClose, title, action, query, commandFor, text, children } = props;
  const { send, busy, error, isSent } = useCommand(props);
  const preview = usePreview(subscription, query, !isSent);
  const { previewed } = preview;
  return (
    <FormDialog
      title={title}
      action={action}
      disabled={!previewed}
      busy={busy}
      error={error}
      previewError={preview.error}
      onSubmit={() => previewed && send(commandFor(previewed))}
      onClose={onClose}
    >
      {children}
      <PreviewNote preview={preview} text={text} />
    </FormDialog>
  );
}
