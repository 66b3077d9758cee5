import { useState } from 'preact/hooks';
import { useChanged } from '../api/changed.ts';
import type { Schemas } from '../api/description.ts';
import { useChange } from '../api/use.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { words } from '../words/words.ts';
import { type EndpointFields, EndpointForm, endpointBody, wantsNothing } from './endpoint-fields.tsx';

interface EditProps {
  readonly endpoint: Schemas['WebhookEndpoint'];
  readonly onClose: () => void;
}

/** Changes an endpoint; its secret and the deliveries that wait for another attempt are kept. */
export function EditEndpoint({ endpoint, onClose }: EditProps) {
  const { id, url, event_types: types, standard_headers: standardHeaders } = endpoint;
  const [fields, setFields] = useState<EndpointFields>({
    url,
    all: types === null,
    types: new Set(types ?? []),
    standardHeaders,
  });
  const update = useChange('updateWebhookEndpoint');
  const { event_types: wanted = null, ...rest } = endpointBody(fields);
  const [body, onError] = useChanged({ ...rest, event_types: wanted });
  return (
    <FormDialog
      title={words.webhooks.editTitle}
      action={words.common.save}
      disabled={wantsNothing(fields)}
      busy={update.isPending}
      error={update.error}
      onSubmit={() => update.mutate({ path: { endpointId: id }, body }, { onSuccess: onClose, onError })}
      onClose={onClose}
    >
      <EndpointForm of={fields} onChange={setFields} />
    </FormDialog>
  );
}
