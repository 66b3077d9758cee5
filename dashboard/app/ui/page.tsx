import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { words } from '../words/words.ts';

interface PageProps {
  readonly title: string;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A page's heading, its actions and its title in the browser. */
export function Page({ title, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · ${words.common.dashboard}`;
  }, [title]);
  return (
    <>
      <header class="page-head">
        <h1 tabIndex={-1}>{title}</h1>
        {actions && <div class="actions">{actions}</div>}
      </header>
      {children}
    </>
  );
}

export function Empty({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

/** A placeholder in the shape of a list, so that the layout does not jump. */
export function Loading() {
  return (
    <div class="loading" role="status">
      <span class="visually-hidden">{words.common.loading}</span>
      {[0, 1, 2, 3, 4].map((each) => (
        <div key={each} class="bone" />
      ))}
    </div>
  );
}

/** Names and values of one object. */
export function Facts({ children }: { readonly children: ComponentChildren }) {
  return <dl class="facts">{children}</dl>;
}

export function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

export function Card({
  title,
  children,
  actions,
}: {
  readonly title?: string;
  readonly children: ComponentChildren;
  readonly actions?: ComponentChildren;
}) {
  return (
    <section class="card">
      {title && (
        <header class="card-head">
          <h2>{title}</h2>
          {actions}
        </header>
      )}
      {children}
    </section>
  );
}
