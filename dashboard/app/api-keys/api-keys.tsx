import { useState } from 'preact/hooks';
import { useAt, useMay } from '../api/at.ts';
import type { Schemas } from '../api/description.ts';
import { useChange, useRead } from '../api/use.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { List } from '../ui/list-page.tsx';
import { Empty, Page } from '../ui/page.tsx';
import { Secret } from '../ui/secret.tsx';
import { Time } from '../ui/time.tsx';
import { exactTime } from '../words/format.ts';
import { words } from '../words/words.ts';
import { CreateKey } from './create-api-key.tsx';

type ApiKey = Schemas['ApiKey'];

export function Keys() {
  const { environment } = useAt();
  const mayManage = useMay('manage_keys');
  const query = useRead('listApiKeys', {}, { live: true });
  const [creating, setCreating] = useState(false);
  const own = query.data && { data: query.data.data.filter((key) => key.environment === environment) };
  return (
    <Page
      title={words.shell.pages.keys}
      actions={
        mayManage && (
          <Button kind="primary" onClick={() => setCreating(true)}>
            {words.keys.create}
          </Button>
        )
      }
    >
      <p class="intro">{words.keys.intro}</p>
      <List<ApiKey>
        label={words.shell.pages.keys}
        query={{ ...query, data: own }}
        keyOf={({ id }) => id}
        columns={[
          { title: words.common.name, show: (key) => key.name },
          {
            title: words.keys.key,
            show: (key) => <code>{`${key.prefix}…${key.last4}`}</code>,
          },
          { title: words.keys.scope, show: (key) => words.keys.scopes[key.scope] },
          {
            title: words.keys.lastUsed,
            show: (key) => (
              <>
                {key.last_used_at ? <Time at={key.last_used_at} /> : words.keys.never}
                {key.expires_at && <p class="muted">{words.keys.expires(exactTime(key.expires_at))}</p>}
              </>
            ),
          },
          {
            title: words.keys.createdBy,
            show: (key) => key.created_by?.replace(/^person:/, '') ?? words.common.none,
          },
          { title: words.common.created, show: (key) => <Time at={key.created_at} />, wide: true },
          { title: words.common.actions, show: (key) => mayManage && <KeyActions apiKey={key} /> },
        ]}
        empty={
          <Empty title={words.keys.empty}>
            <p>{words.keys.emptyText}</p>
          </Empty>
        }
      />
      {creating && <CreateKey onClose={() => setCreating(false)} />}
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
    <span class="row-actions many">
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
