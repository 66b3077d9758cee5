import { useState } from 'preact/hooks';
import { useAt, useMay } from '../api/at.ts';
import type { Schemas } from '../api/description.ts';
import { useChange, useRead } from '../api/use.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { List } from '../ui/list-page.tsx';
import { Empty, Page } from '../ui/page.tsx';
import { ProblemNote } from '../ui/problem.tsx';
import { Secret } from '../ui/secret.tsx';
import { Time } from '../ui/time.tsx';
import { words } from '../words/words.ts';

type ApiKey = Schemas['ApiKey'];

export function Keys() {
  const { environment } = useAt();
  const mayManage = useMay('manage_keys');
  const query = useRead('listApiKeys', {}, { live: true });
  const create = useChange('createApiKey');
  const own = query.data && { data: query.data.data.filter((key) => key.environment === environment) };
  return (
    <Page
      title={words.shell.pages.keys}
      actions={
        mayManage && (
          <Button
            kind="primary"
            busy={create.isPending}
            onClick={() => create.mutate({ body: { environment } })}
          >
            {words.keys.create}
          </Button>
        )
      }
    >
      <p class="intro">{words.keys.intro}</p>
      <ProblemNote error={create.error} />
      <List<ApiKey>
        label={words.shell.pages.keys}
        query={{ ...query, data: own }}
        keyOf={({ id }) => id}
        columns={[
          { title: words.keys.key, show: (key) => <code>{`${key.prefix}…${key.last4}`}</code> },
          {
            title: words.keys.lastUsed,
            show: (key) => (key.last_used_at ? <Time at={key.last_used_at} /> : words.keys.never),
          },
          { title: words.common.created, show: (key) => <Time at={key.created_at} />, wide: true },
          {
            title: words.keys.expires,
            show: (key) => (key.expires_at ? <Time at={key.expires_at} /> : words.common.none),
            wide: true,
          },
          { title: words.common.actions, show: (key) => mayManage && <KeyActions apiKey={key} /> },
        ]}
        empty={
          <Empty title={words.keys.empty}>
            <p>{words.keys.emptyText}</p>
          </Empty>
        }
      />
      {create.data && (
        <Dialog title={words.keys.newTitle} onClose={create.reset}>
          <Secret value={create.data.key} onClose={create.reset} />
        </Dialog>
      )}
    </Page>
  );
}

function KeyActions({ apiKey: { id } }: { readonly apiKey: ApiKey }) {
  const [open, setOpen] = useState<'rotate' | 'revoke' | null>(null);
  const rotate = useChange('rotateApiKey');
  const revoke = useChange('revokeApiKey');
  const path = { keyId: id };
  const close = () => setOpen(null);
  const closeNew = () => {
    rotate.reset();
    close();
  };
  return (
    <span class="row-actions">
      <Button kind="quiet" onClick={() => setOpen('rotate')}>
        {words.keys.rotate}
      </Button>
      <Button kind="quiet" onClick={() => setOpen('revoke')}>
        {words.keys.revoke}
      </Button>
      {open === 'rotate' && !rotate.data && (
        <Confirm
          title={words.keys.rotateTitle}
          text={words.keys.rotateText}
          action={words.keys.rotate}
          busy={rotate.isPending}
          error={rotate.error}
          onConfirm={() => rotate.mutate({ path, body: {} })}
          onClose={close}
        />
      )}
      {rotate.data && (
        <Dialog title={words.keys.newTitle} onClose={closeNew}>
          <Secret value={rotate.data.key} onClose={closeNew} />
        </Dialog>
      )}
      {open === 'revoke' && (
        <Confirm
          title={words.keys.revokeTitle}
          text={words.keys.revokeText}
          action={words.keys.revoke}
          danger
          busy={revoke.isPending}
          error={revoke.error}
          onConfirm={() => revoke.mutate({ path }, { onSuccess: close })}
          onClose={close}
        />
      )}
    </span>
  );
}
