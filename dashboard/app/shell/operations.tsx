import { useEffect } from 'preact/hooks';
import { Router } from 'wouter-preact';
import { MayActContext, useOperatorRead } from '../operations/use.ts';
import type { Session } from '../session/log-in.ts';
import { Loading } from '../ui/page.tsx';
import { ProblemNote } from '../ui/problem.tsx';
import { setZone } from '../words/format.ts';
import { words } from '../words/words.ts';
import { Frame } from './frame.tsx';
import { lazy } from './lazy.tsx';
import { Shortcuts } from './shortcuts.tsx';

interface OperationsProps {
  readonly session: Session;
  /** The path below `/operations`. */
  readonly rest: string;
}

const ITEMS = [
  { name: 'incidents', href: '', icon: 'warning', letter: 'i' },
  { name: 'merchants', href: 'merchants', icon: 'storefront', letter: 'm' },
  { name: 'find', href: 'find', icon: 'search', letter: 'f' },
] as const;

const Pages = lazy(async () => (await import('../operations/pages.tsx')).OperatorPages);

/** The frame of the operators' pages, which belong to no merchant. */
export function Operations({ session, rest }: OperationsProps) {
  const { data: access, error } = useOperatorRead('showOperatorAccess');
  useEffect(() => {
    delete document.documentElement.dataset.environment;
  }, []);
  if (!access) {
    return <main class="screen wide-screen">{error ? <ProblemNote error={error} /> : <Loading />}</main>;
  }
  // The same format as in alerts and in the reasons of incidents.
  setZone('UTC', 'h23');
  const current = rest.split('/')[0] ?? '';
  const items = ITEMS.map(({ name, href, icon, letter }) => ({
    href: `/${href}`,
    text: words.operations[name],
    icon,
    letter,
    current: current === href,
  }));
  return (
    <MayActContext.Provider value={access.may.includes('act')}>
      <Router base="/operations">
        <Frame session={session} name={words.operations.title} groups={[{ title: null, items }]}>
          {access.may.length > 0 ? (
            <Pages id="" />
          ) : (
            <p class="note bad">{words.problems.byCode.administration_forbidden}</p>
          )}
        </Frame>
        {access.may.length > 0 && <Shortcuts items={items} />}
      </Router>
    </MayActContext.Provider>
  );
}
