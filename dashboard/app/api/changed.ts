/** The fields of a form that the person changed: someone else may have changed the others since it was opened. */
import { useState } from 'preact/hooks';
import { Problem } from './client.ts';

/** @returns the fields of `now` that differ from `before`, or are missing there */
function changedFields<Fields extends object>(before: Partial<Fields>, now: Fields): Partial<Fields> {
  const names = (Object.keys(now) as (keyof Fields)[]).filter(
    (name) => JSON.stringify(now[name]) !== JSON.stringify(before[name]),
  );
  return Object.fromEntries(names.map((name) => [name, now[name]])) as Partial<Fields>;
}

/**
 * @param fields all fields of the form; those of the first rendering count as unchanged
 * @returns the changed fields, a function to call with the error of a request, and one to call with the saved fields
 */
export function useChanged<Fields extends object>(
  fields: Fields,
): readonly [Partial<Fields>, (problem: Error) => void, (saved: Fields) => void] {
  const [saved, setSaved] = useState<Partial<Fields>>(fields);
  const changed = changedFields(saved, fields);
  const onError = (problem: Error) => {
    if (problem instanceof Problem && problem.status >= 400 && problem.status < 500) return;
    // The request may have been executed, so its fields count as changed even if their former values are typed again.
    const others = Object.entries(saved).filter(([name]) => !(name in changed));
    setSaved(Object.fromEntries(others) as Partial<Fields>);
  };
  return [changed, onError, setSaved];
}

/**
 * A form that stays open after it is saved, and then also shows what others have changed.
 * @param typedOf returns the form's values for the stored object
 * @param fieldsOf returns the request's fields
 */
export function useForm<Stored, Typed extends object, Fields extends object>(
  stored: Stored,
  typedOf: (stored: Stored) => Typed,
  fieldsOf: (typed: Typed) => Fields,
) {
  const [typed, setTyped] = useState(() => typedOf(stored));
  const [changed, onError, setSaved] = useChanged(fieldsOf(typed));
  const onSuccess = (answer: Stored) => {
    const shown = typedOf(answer);
    setSaved(fieldsOf(shown));
    // Keeps what was typed while the request was under way.
    setTyped((now) => ({ ...shown, ...changedFields(typed, now) }));
  };
  const field = <Name extends keyof Typed>(name: Name) => ({
    value: typed[name],
    onValue: (value: Typed[Name]) => setTyped((now) => ({ ...now, [name]: value })),
  });
  return { typed, field, changed, outcome: { onSuccess, onError } };
}
