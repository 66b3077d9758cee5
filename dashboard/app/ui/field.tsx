import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';

interface FieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly error?: string | null;
}
type InputProps = FieldProps &
  Omit<JSX.InputHTMLAttributes<HTMLInputElement>, 'onInput' | 'value'> & {
    readonly value: string;
    readonly onValue: (value: string) => void;
  };

export function TextField({ label, hint, error, value, onValue, ...rest }: InputProps) {
  return (
    <Labelled label={label} hint={hint} error={error}>
      {(described) => (
        <input
          {...rest}
          {...described}
          value={value}
          onInput={({ currentTarget }) => onValue(currentTarget.value)}
        />
      )}
    </Labelled>
  );
}

interface LinesProps extends FieldProps {
  readonly value: string;
  readonly rows: number;
  readonly required?: boolean;
  readonly maxLength?: number;
  readonly disabled?: boolean;
  readonly onValue: (value: string) => void;
}

/** A field for several short texts, one per line, or for a text with line breaks. */
export function LinesField({ label, hint, error, onValue, ...rest }: LinesProps) {
  return (
    <Labelled label={label} hint={hint} error={error}>
      {(described) => (
        <textarea {...rest} {...described} onInput={({ currentTarget }) => onValue(currentTarget.value)} />
      )}
    </Labelled>
  );
}

/** The input of a `LinesField`, without empty lines. */
export function linesOf(typed: string): readonly string[] {
  return typed
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

interface SelectProps extends FieldProps {
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly options: readonly (readonly [string, string])[];
  readonly disabled?: boolean;
}

/** The browser's select truncates long options, so it lies invisibly over the full text of the chosen option. */
export function SelectField({ label, hint, error, value, onValue, options, disabled }: SelectProps) {
  const chosen = options.find(([option]) => option === value) ?? options[0];
  return (
    <Labelled label={label} hint={hint} error={error}>
      {(described) => (
        <div class="select">
          <span aria-hidden="true">{chosen?.[1]}</span>
          <select
            {...described}
            value={value}
            disabled={disabled}
            onChange={({ currentTarget }) => onValue(currentTarget.value)}
          >
            {options.map(([option, text]) => (
              <option key={option} value={option}>
                {text}
              </option>
            ))}
          </select>
        </div>
      )}
    </Labelled>
  );
}

interface Described {
  readonly id: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: boolean;
}

function Labelled({
  label,
  hint,
  error,
  children,
}: FieldProps & { readonly children: (described: Described) => ComponentChildren }) {
  const id = useId();
  const note = error ?? hint;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        ...(note && { 'aria-describedby': `${id}-note` }),
        ...(error && { 'aria-invalid': true }),
      })}
      {note && (
        <p id={`${id}-note`} class={error ? 'field-error' : 'hint'}>
          {note}
        </p>
      )}
    </div>
  );
}

interface CheckProps {
  readonly label: string;
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly onValue: (checked: boolean) => void;
}

export function CheckField({ label, checked, disabled, onValue }: CheckProps) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={({ currentTarget }) => onValue(currentTarget.checked)}
      />
      {label}
    </label>
  );
}
