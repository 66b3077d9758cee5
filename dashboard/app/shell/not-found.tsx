import { Link } from 'wouter-preact';
import { Empty, Page } from '../ui/page.tsx';
import { words } from '../words/words.ts';

export function NotFound() {
  return (
    <Page title={words.shell.notFound}>
      <Empty title={words.shell.notFoundText}>
        <Link href="/">{words.shell.toHome}</Link>
      </Empty>
    </Page>
  );
}
