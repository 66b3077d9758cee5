/** A form whose fields show what the API says about them. */
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { Problem } from '../api/client.ts';
import { faultText } from '../words/problem-text.ts';

/** Paths in the request that a field stands for: `recurring.interval_count`. */
export type Paths = string | readonly string[];

interface FormFaults {
  readonly problem: Problem | null;
  /** The paths of the fields on the screen. */
  readonly shown: Set<string>;
}

const Faults = createContext<FormFaults>({ problem: null, shown: new Set() });

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
  const faults = useMemo(() => ({ problem, shown }), [problem, shown]);
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
 * What the form's last error says about a field, until its value changes.
 * @param limitText formats a limit of the value
 */
export function useFault(
  at: Paths | undefined,
  value: string,
  limitText?: (limit: number) => string,
): string | null {
  const { problem, shown } = useContext(Faults);
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
  if (!problem || value !== judged.current.value) return null;
  return paths.some((path) => isAt(problem, path)) ? faultText(problem, limitText) : null;
}

/** Returns whether a field of the surrounding form shows the problem. */
export function useIsBesideField(problem: Problem | null): boolean {
  const { shown } = useContext(Faults);
  return problem !== null && faultText(problem) !== null && [...shown].some((path) => isAt(problem, path));
}

/** A list is one field: `origins` also shows what is wrong with `origins.1`. */
function isAt({ fault }: Problem, path: string): boolean {
  return fault?.field?.replace(/\.\d+$/, '') === path;
}
