import { Link } from 'wouter-preact';

interface IdLinkProps {
  /** The list that the object is in. */
  readonly to: 'payments' | 'checkouts' | 'subscriptions' | 'invoices/credit-notes';
  readonly id: string;
}

/** An id that links to its object: on one line, like the ids that can be copied. */
export function IdLink({ to, id }: IdLinkProps) {
  return (
    <Link href={`/${to}/${id}`} class="id-link">
      <code>{id}</code>
    </Link>
  );
}
