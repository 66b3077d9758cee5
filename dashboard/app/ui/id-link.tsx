import { Link } from 'wouter-preact';

interface IdLinkProps {
  /** The list that the object is in. */
  readonly to: 'payments' | 'checkouts' | 'subscriptions';
  readonly id: string;
}

/** An id that leads to its object: on one line, as those that are copied. */
export function IdLink({ to, id }: IdLinkProps) {
  return (
    <Link href={`/${to}/${id}`} class="id-link">
      <code>{id}</code>
    </Link>
  );
}
