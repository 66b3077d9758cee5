export interface PageProps {
  /** The object's id from the path; an empty string on pages without one. */
  readonly id: string;
}
