/** A form whose fields show the API's errors about them. */
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Problem } from '../api/client.ts';
import { faultText } from '../words/problem-text.ts';

/** Paths in the request that a field stands for: `recurring.interval_count`. */
export type Paths = string | readonly string[];

interface FormFaults {
  readonly problem: Problem | null;
  /** The paths of the fields on the screen. */
  readonly shown: Set<string>;
  /** The problem whose field has been edited since. */
  readonly edited: Problem | null;
  readonly onEdit: (problem: Problem) => void;
}

const Faults = createContext<FormFaults>({ problem: null, shown: new Set(), edited: null, onEdit: () => {} });

interface FormProps {
  /** The error of the form's last request. */
  readonly error: unknown;
  /** The error of a preview of the values, which leaves the focus where the person types. */
  readonly previewError?: unknown;
  readonly onSubmit: (event: Event) => void;
  readonly children: ComponentChildren;
}

export function Form({ error, previewError, onSubmit, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const shown = useRef(new Set<string>()).current;
  const problem = problemOf(error) ?? problemOf(previewError);
  const [edited, onEdit] = useState<Problem | null>(null);
  const faults = useMemo(() => ({ problem, shown, edited, onEdit }), [problem, shown, edited]);
  useLayoutEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [error]);
  return (
    <Faults.Provider value={faults}>
      <form ref={form} onSubmit={onSubmit}>
        {children}
      </form>
    </Faults.Provider>
  );
}

const problemOf = (error: unknown) => (error instanceof Problem && error.fault ? error : null);

/**
 * The text of the form's last error about a field, until its value changes.
 * @param limitText formats a limit of the value
 */
export function useFault(
  at: Paths | undefined,
  value: string,
  limitText?: (limit: number) => string,
): string | null {
  const { problem, shown, edited, onEdit } = useContext(Faults);
  const paths = at === undefined ? [] : [at].flat();
  const key = paths.join(' ');
  useLayoutEffect(() => {
    const own = key.split(' ').filter(Boolean);
    for (const path of own) shown.add(path);
    return () => {
      for (const path of own) shown.delete(path);
    };
  }, [key, shown]);
  const judged = useRef({ problem, value });
  if (judged.current.problem !== problem) judged.current = { problem, value };
  const fault = problem && paths.some((path) => isAt(problem, path)) ? faultText(problem, limitText) : null;
  const isEdited = fault !== null && value !== judged.current.value;
  useLayoutEffect(() => {
    if (isEdited && problem) onEdit(problem);
  }, [isEdited, problem, onEdit]);
  return isEdited || problem === edited ? null : fault;
}

/** Returns whether a field of the surrounding form shows the problem. */
export function useIsBesideField(problem: Problem | null): boolean {
  const { shown } = useContext(Faults);
  return problem !== null && faultText(problem) !== null && [...shown].some((path) => isAt(problem, path));
}

/** Returns whether a field that showed the problem has been edited since. */
export function useIsEdited(problem: Problem | null): boolean {
  const { edited } = useContext(Faults);
  return problem !== null && problem === edited;
}

/** A list is one field: `origins` also shows the error of `origins.1`. */
function isAt({ fault }: Problem, path: string): boolean {
  return fault?.field?.replace(/\.\d+$/, '') === path;
}
