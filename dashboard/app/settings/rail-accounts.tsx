import { useState } from 'preact/hooks';
import { useAt, useMay } from '../api/at.ts';
import type { Schemas } from '../api/description.ts';
import { useRead } from '../api/use.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Copy } from '../ui/copy.tsx';
import { Card, Empty, Fact, Facts, Loading, Page } from '../ui/page.tsx';
import { ProblemNote } from '../ui/problem.tsx';
import { Time } from '../ui/time.tsx';
import { words } from '../words/words.ts';
import { CheckRailAccount } from './check-rail-account.tsx';
import { SetRailAccount } from './set-rail-account.tsx';

type Account = Schemas['RailAccount'];

const TONES = { active: 'good', activating: 'wait', disabled: 'calm' } as const;

export function RailAccounts() {
  const { environment } = useAt();
  const mayOperate = useMay('operate');
  const [setting, setSetting] = useState(false);
  const { data, error } = useRead('listRailAccounts', {}, { live: true });
  const accounts = data?.data.filter((account) => account.environment === environment);
  return (
    <Page
      title={words.shell.pages.rail}
      actions={
        mayOperate && (
          <Button kind="primary" onClick={() => setSetting(true)}>
            {words.rail.set}
          </Button>
        )
      }
    >
      <p class="intro">{words.rail.intro}</p>
      <ProblemNote error={error} />
      {!accounts && !error && <Loading />}
      {accounts?.length === 0 && (
        <Empty title={words.rail.empty}>
          <p>{words.rail.emptyText}</p>
        </Empty>
      )}
      {accounts?.map((account) => (
        <RailAccount key={account.id} account={account} />
      ))}
      {setting && <SetRailAccount onClose={() => setSetting(false)} />}
    </Page>
  );
}

function RailAccount({ account }: { readonly account: Account }) {
  const mayOperate = useMay('operate');
  const [checking, setChecking] = useState(false);
  const names = Object.keys(words.rail.capabilities) as (keyof typeof words.rail.capabilities)[];
  const capabilities = account.capabilities as Readonly<Record<string, unknown>>;
  return (
    <Card
      title={account.rail}
      actions={<Badge tone={TONES[account.status]}>{words.rail.statuses[account.status]}</Badge>}
    >
      <Facts>
        <Fact name={words.common.id}>
          <Copy value={account.id} />
        </Fact>
        <Fact name={words.rail.can}>
          {names
            .map((name) => {
              const text = words.rail.capabilities[name];
              return capabilities[name] ? text : words.rail.cannot(text);
            })
            .join(' · ')}
        </Fact>
        <Fact name={words.common.created}>
          <Time at={account.created_at} />
        </Fact>
      </Facts>
      {mayOperate && (
        <div class="dialog-actions">
          <Button onClick={() => setChecking(true)}>{words.rail.check}</Button>
        </div>
      )}
      {checking && <CheckRailAccount account={account} onClose={() => setChecking(false)} />}
    </Card>
  );
}
