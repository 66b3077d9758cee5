import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import { type Paths, useFault } from './form.tsx';

interface FieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly error?: string | null;
  /** Where the value is in the request: API errors about it appear beside the field. */
  readonly at?: Paths;
  /** Formats the API's limit of the value. */
  readonly limitText?: (limit: number) => string;
}
type InputProps = FieldProps &
  Omit<JSX.InputHTMLAttributes<HTMLInputElement>, 'onInput' | 'value'> & {
    readonly value: string;
    readonly onValue: (value: string) => void;
  };

export function TextField({ label, hint, error, at, limitText, value, onValue, ...rest }: InputProps) {
  return (
    <Labelled {...{ label, hint, error, at, limitText, value }}>
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

/** A field for several short values, one per line, or for text with line breaks. */
export function LinesField({ label, hint, error, at, limitText, onValue, ...rest }: LinesProps) {
  return (
    <Labelled {...{ label, hint, error, at, limitText, value: rest.value }}>
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
export function SelectField(props: SelectProps) {
  const { value, onValue, options, disabled, ...labelled } = props;
  const chosen = options.find(([option]) => option === value);
  return (
    <Labelled {...labelled} value={value}>
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

interface LabelledProps extends FieldProps {
  readonly value: string;
  readonly children: (described: Described) => ComponentChildren;
}

function Labelled({ label, hint, error: ownError, at, limitText, value, children }: LabelledProps) {
  const id = useId();
  const fault = useFault(at, value, limitText);
  const error = ownError ?? fault;
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
