import { Link, useLocation } from 'wouter-preact';

interface TabsProps {
  readonly label: string;
  /** Addresses and names. */
  readonly tabs: readonly (readonly [string, string])[];
}

/** Lists that belong together, each at an address of its own. */
export function Tabs({ label, tabs }: TabsProps) {
  const [path] = useLocation();
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(([href, text]) => (
        <Link key={href} href={href} aria-current={path === href ? 'page' : undefined}>
          {text}
        </Link>
      ))}
    </nav>
  );
}
