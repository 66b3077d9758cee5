export interface PageProps {
  /** From the path; empty on pages without one. */
  readonly id: string;
}
