import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import type { Schemas } from '../api/description.ts';
import { useChange, useKeyedChange } from '../api/use.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { DAY_MS, instantOf, localMinute } from '../ui/days.ts';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { ProblemNote } from '../ui/problem.tsx';
import { Secret } from '../ui/secret.tsx';
import { words } from '../words/words.ts';
import { EditEndpoint } from './edit-endpoint.tsx';

interface ActionProps {
  readonly endpoint: Schemas['WebhookEndpoint'];
}

export function EndpointActions({ endpoint }: ActionProps) {
  const [open, setOpen] = useState<'edit' | 'rotate' | 'recover' | 'remove' | null>(null);
  const [recovering, setRecovering] = useState(false);
  const path = { endpointId: endpoint.id };
  const update = useChange('updateWebhookEndpoint');
  const test = useChange('sendTestEvent');
  const paused = endpoint.status !== 'enabled';
  const close = () => setOpen(null);
  return (
    <>
      <ProblemNote error={update.error ?? test.error} />
      {test.isSuccess && (
        <p class="note good" role="status">
          {words.webhooks.tested}
        </p>
      )}
      {recovering && (
        <p class="note good" role="status">
          {words.webhooks.recovered}
        </p>
      )}
      <Button busy={test.isPending} onClick={() => test.mutate({ path })}>
        {words.webhooks.test}
      </Button>
      <Button
        busy={update.isPending}
        onClick={() => update.mutate({ path, body: { status: paused ? 'enabled' : 'paused' } })}
      >
        {paused ? words.webhooks.resume : words.webhooks.pause}
      </Button>
      <Button onClick={() => setOpen('edit')}>{words.webhooks.edit}</Button>
      <Button onClick={() => setOpen('recover')}>{words.webhooks.recover}</Button>
      <Button onClick={() => setOpen('rotate')}>{words.webhooks.rotate}</Button>
      <Button onClick={() => setOpen('remove')}>{words.webhooks.remove}</Button>
      {open === 'edit' && <EditEndpoint endpoint={endpoint} onClose={close} />}
      {open === 'rotate' && <Rotate endpoint={endpoint} onClose={close} />}
      {open === 'recover' && (
        <Recover endpoint={endpoint} onStarted={() => setRecovering(true)} onClose={close} />
      )}
      {open === 'remove' && <Remove endpoint={endpoint} onClose={close} />}
    </>
  );
}

function Rotate({ endpoint, onClose }: ActionProps & { readonly onClose: () => void }) {
  const { change: rotate, send } = useKeyedChange('rotateWebhookEndpointSecret');
  if (rotate.data) {
    return (
      <Dialog title={words.webhooks.secret} onClose={onClose}>
        <Secret value={rotate.data.secret} onClose={onClose} />
      </Dialog>
    );
  }
  return (
    <Confirm
      title={words.webhooks.rotateTitle}
      text={words.webhooks.rotateText}
      action={words.webhooks.rotate}
      busy={rotate.isPending}
      error={rotate.error}
      onConfirm={() => send({ path: { endpointId: endpoint.id }, body: { overlap: true } })}
      onClose={onClose}
    />
  );
}

interface RecoverProps extends ActionProps {
  readonly onStarted: () => void;
  readonly onClose: () => void;
}

function Recover({ endpoint, onStarted, onClose }: RecoverProps) {
  const [since, setSince] = useState(() => localMinute(Date.now() - DAY_MS));
  const recover = useChange('recoverWebhookEndpoint');
  const send = (event: Event) => {
    event.preventDefault();
    const body = { since: instantOf(since) };
    const onSuccess = () => {
      onStarted();
      onClose();
    };
    recover.mutate({ path: { endpointId: endpoint.id }, body }, { onSuccess });
  };
  return (
    <Dialog title={words.webhooks.recoverTitle} onClose={onClose}>
      <Form error={recover.error} onSubmit={send}>
        <TextField
          label={words.webhooks.since}
          at="since"
          hint={words.webhooks.recoverText}
          type="datetime-local"
          required
          value={since}
          onValue={setSince}
        />
        <ProblemNote error={recover.error} />
        <div class="dialog-actions">
          <Button onClick={onClose}>{words.common.cancel}</Button>
          <Button kind="primary" type="submit" busy={recover.isPending}>
            {words.webhooks.recover}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

function Remove({ endpoint, onClose }: ActionProps & { readonly onClose: () => void }) {
  const [, go] = useLocation();
  const remove = useChange('deleteWebhookEndpoint', 'showWebhookEndpoint');
  return (
    <Confirm
      title={words.webhooks.removeTitle}
      text={words.webhooks.removeText}
      action={words.webhooks.remove}
      danger
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() =>
        remove.mutate({ path: { endpointId: endpoint.id } }, { onSuccess: () => go('/webhooks') })
      }
      onClose={onClose}
    />
  );
}
