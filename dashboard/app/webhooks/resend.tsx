import { useState } from 'preact/hooks';
import type { Schemas } from '../api/description.ts';
import { SelectField } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { words } from '../words/words.ts';

interface ResendProps {
  readonly event: Schemas['WebhookLogEventAnswer'];
  readonly urlOf: (endpointId: string) => string;
  readonly busy: boolean;
  readonly error: unknown;
  /** Undefined for all endpoints of the event. */
  readonly onSend: (endpointId: string | undefined) => void;
  readonly onClose: () => void;
}

/** Asks which of an event's endpoints to resend it to. */
export function Resend({ event, urlOf, busy, error, onSend, onClose }: ResendProps) {
  const [endpointId, setEndpointId] = useState('');
  return (
    <FormDialog
      title={words.webhooks.resendTitle}
      action={words.webhooks.resend}
      busy={busy}
      error={error}
      onSubmit={() => onSend(endpointId || undefined)}
      onClose={onClose}
    >
      <SelectField
        label={words.webhooks.resendTo}
        at="endpoint_id"
        value={endpointId}
        onValue={setEndpointId}
        options={[
          ['', words.webhooks.resendToAll],
          ...event.deliveries.map(({ endpoint_id: id }) => [id, urlOf(id)] as const),
        ]}
      />
    </FormDialog>
  );
}
