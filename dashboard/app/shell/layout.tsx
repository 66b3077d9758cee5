import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { BASE } from '../config.ts';
import { useAt } from '../place/at.ts';
import type { Session } from '../session/session.ts';
import { Icon } from '../ui/icon.tsx';
import { words } from '../words/words.ts';
import { EnvironmentSwitch } from './environment-switch.tsx';
import { NAVIGATION } from './pages.tsx';
import { Shortcuts } from './shortcuts.tsx';

interface LayoutProps {
  readonly session: Session;
  /** The first part of the path below the environment. */
  readonly current: string;
  readonly children: ComponentChildren;
}

export function Layout({ session, current, children }: LayoutProps) {
  const { environment, access } = useAt();
  const [open, setOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  const closeMenu = () => setOpen(false);
  useEffect(() => {
    document.documentElement.dataset.environment = environment;
  }, [environment]);
  return (
    <div class="shell" data-menu={open ? 'open' : 'closed'}>
      <button type="button" class="skip button" onClick={() => main.current?.focus()}>
        {words.shell.skip}
      </button>
      <header class="bar">
        <button
          type="button"
          class="icon-button menu"
          aria-expanded={open}
          aria-controls="navigation"
          aria-label={words.shell.menu}
          onClick={() => setOpen(!open)}
        >
          <Icon name={open ? 'close' : 'menu'} />
        </button>
        <span class="bar-name">{access.merchant_name}</span>
        <EnvironmentSwitch />
      </header>
      <nav id="navigation" class="sidebar" aria-label={words.shell.navigation}>
        <div class="merchant">
          <span class="monogram" aria-hidden="true">
            {[...access.merchant_name][0]}
          </span>
          <span class="merchant-name">{access.merchant_name}</span>
        </div>
        <Items current={current} onGo={closeMenu} />
        <div class="person">
          <Link href={`~${BASE}/?choose`} class="nav-link">
            <Icon name="storefront" />
            {words.shell.switchMerchant}
          </Link>
          <button type="button" class="nav-link" onClick={() => void session.logOut()}>
            <Icon name="out" />
            <span>
              {words.session.logOut}
              <small>{session.person}</small>
            </span>
          </button>
        </div>
      </nav>
      <div class="content">
        {environment === 'sandbox' && (
          <aside class="sandbox-banner" aria-label={words.common.environment}>
            {words.shell.sandboxBanner}
          </aside>
        )}
        <main id="main" ref={main} tabIndex={-1}>
          {access.merchant_status === 'inactive' && <p class="note bad">{words.shell.inactive}</p>}
          {children}
        </main>
      </div>
      <Shortcuts />
    </div>
  );
}

function Items({ current, onGo }: { readonly current: string; readonly onGo: () => void }) {
  const { access } = useAt();
  return (
    <div class="nav">
      {NAVIGATION.map(({ title, items }) => (
        <div key={title ?? ''} class="nav-group">
          {title && <p class="nav-title">{words.shell.groups[title]}</p>}
          <ul>
            {items
              .filter(({ needs }) => !needs || access.permissions.includes(needs))
              .map(({ name, href, icon }) => (
                <li key={name}>
                  <Link
                    href={`/${href}`}
                    class="nav-link"
                    aria-current={current === href ? 'page' : undefined}
                    onClick={onGo}
                  >
                    <Icon name={icon} />
                    {words.shell.pages[name]}
                  </Link>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </div>
  );
}
