import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { BASE } from '../api/config.ts';
import type { Session } from '../session/log-in.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import { foreignZone } from '../words/format.ts';
import { words } from '../words/words.ts';
import { Offline } from './offline.tsx';

interface FrameGroup {
  readonly title: string | null;
  readonly items: readonly {
    readonly href: string;
    readonly text: string;
    readonly icon: IconName;
    readonly current: boolean;
  }[];
}

interface FrameProps {
  readonly session: Session;
  /** The title at the top: the merchant's name, or that of the operators' pages. */
  readonly name: string;
  readonly groups: readonly FrameGroup[];
  /** Shown beside the name at the top. */
  readonly bar?: ComponentChildren;
  readonly banner?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** The bar at the top, the navigation beside it, and the page. */
export function Frame({ session, name, groups, bar, banner, children }: FrameProps) {
  const [open, setOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  const zone = foreignZone();
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
        <span class="bar-name">{name}</span>
        {bar}
      </header>
      <nav id="navigation" class="sidebar" aria-label={words.shell.navigation}>
        <div class="merchant">
          <span class="monogram" aria-hidden="true">
            {[...name][0]}
          </span>
          <span class="merchant-name">{name}</span>
        </div>
        <Items groups={groups} onGo={() => setOpen(false)} />
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
        {banner}
        <main id="main" ref={main} tabIndex={-1}>
          <Offline />
          {zone && <p class="zone">{`${words.invoiceSettings.timeZone}: ${zone.replaceAll('_', ' ')}`}</p>}
          {children}
        </main>
      </div>
    </div>
  );
}

function Items({ groups, onGo }: Pick<FrameProps, 'groups'> & { readonly onGo: () => void }) {
  return (
    <div class="nav">
      {groups.map(({ title, items }) => (
        <div key={title ?? ''} class="nav-group">
          {title && <p class="nav-title">{title}</p>}
          <ul>
            {items.map(({ href, text, icon, current }) => (
              <li key={href}>
                <Link href={href} class="nav-link" aria-current={current ? 'page' : undefined} onClick={onGo}>
                  <Icon name={icon} />
                  {text}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}
