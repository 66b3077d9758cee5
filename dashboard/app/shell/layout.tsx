import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { BOTH, useAt } from '../api/at.ts';
import type { Session } from '../session/log-in.ts';
import { AlsoLive } from '../ui/dialog.tsx';
import { words } from '../words/words.ts';
import { EnvironmentSwitch } from './environment-switch.tsx';
import { Frame } from './frame.tsx';
import { NAVIGATION } from './pages.tsx';
import { Shortcuts } from './shortcuts.tsx';

interface LayoutProps {
  readonly session: Session;
  /** The first part of the path below the environment. */
  readonly current: string;
  /** True if the page serves both environments. */
  readonly both: boolean;
  readonly children: ComponentChildren;
}

/** The frame of a merchant's pages. */
export function Layout({ session, current, both, children }: LayoutProps) {
  const { environment, access } = useAt();
  useEffect(() => {
    document.documentElement.dataset.environment = both ? BOTH : environment;
  }, [both, environment]);
  const groups = NAVIGATION.map(({ title, items }) => ({
    title: title && words.shell.groups[title],
    items: items
      .filter(({ needs }) => !needs || access.permissions.includes(needs))
      .map(({ name, href, icon, letter }) => ({
        href: `/${href}`,
        text: words.shell.pages[name],
        icon,
        letter,
        current: current === href,
      })),
  }));
  const text = both ? words.shell.bothBanner : environment === 'sandbox' ? words.shell.sandboxBanner : null;
  const banner = text && (
    <aside
      class={both ? 'environment-banner' : 'environment-banner sandbox'}
      aria-label={words.common.environment}
    >
      {text}
    </aside>
  );
  return (
    <>
      <Frame
        session={session}
        name={access.merchant_name}
        groups={groups}
        bar={<EnvironmentSwitch both={both} />}
        banner={banner}
      >
        {access.merchant_status === 'inactive' && <p class="note bad">{words.shell.inactive}</p>}
        <AlsoLive.Provider value={both}>{children}</AlsoLive.Provider>
      </Frame>
      <Shortcuts items={groups.flatMap(({ items }) => items)} />
    </>
  );
}
