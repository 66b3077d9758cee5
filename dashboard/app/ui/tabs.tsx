import { Link, useLocation } from 'wouter-preact';

interface TabsProps {
  readonly label: string;
  /** The address and the name of each tab. */
  readonly tabs: readonly (readonly [string, string])[];
}

/** Related lists, each at its own address. */
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
