import type { ComponentChildren } from 'preact';

interface PdfLinkProps {
  readonly href: string;
  readonly class?: string;
  readonly 'aria-label'?: string;
  readonly children: ComponentChildren;
}

/** Opens a document in a new tab. */
export function PdfLink({ children, ...link }: PdfLinkProps) {
  return (
    <a {...link} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}
