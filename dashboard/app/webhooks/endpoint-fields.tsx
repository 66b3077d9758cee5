import { CheckField, SelectField, TextField } from '../ui/field.tsx';
import { words } from '../words/words.ts';
import { EVENT_TYPES, type EventType } from './event-types.ts';

/** The form's input. */
export interface EndpointFields {
  readonly url: string;
  /** True for every event type, including future ones. */
  readonly all: boolean;
  readonly types: ReadonlySet<string>;
  readonly standardHeaders: boolean;
}

interface EndpointFieldsProps {
  readonly of: EndpointFields;
  readonly onChange: (fields: EndpointFields) => void;
}

export function EndpointForm({ of, onChange }: EndpointFieldsProps) {
  const toggle = (type: EventType) => (checked: boolean) => {
    const others = [...of.types].filter((each) => each !== type);
    onChange({ ...of, types: new Set(checked ? [...others, type] : others) });
  };
  return (
    <>
      <TextField
        label={words.webhooks.url}
        at="url"
        hint={words.webhooks.urlHint}
        type="url"
        required
        value={of.url}
        onValue={(url) => onChange({ ...of, url })}
      />
      <SelectField
        label={words.webhooks.types}
        at="event_types"
        value={of.all ? 'all' : 'some'}
        onValue={(value) => onChange({ ...of, all: value === 'all' })}
        options={[
          ['all', words.webhooks.allTypes],
          ['some', words.webhooks.chosenTypes],
        ]}
      />
      {!of.all &&
        EVENT_TYPES.map((type) => (
          <CheckField key={type} label={type} checked={of.types.has(type)} onValue={toggle(type)} />
        ))}
      <CheckField
        label={words.webhooks.standardHeaders}
        checked={of.standardHeaders}
        onValue={(standardHeaders) => onChange({ ...of, standardHeaders })}
      />
    </>
  );
}

/** True if the endpoint would receive no events. */
export const wantsNothing = ({ all, types }: EndpointFields) => !all && types.size === 0;

/** The input as the API's request body. */
export const endpointBody = ({ url, all, types, standardHeaders }: EndpointFields) => ({
  url,
  event_types: all ? undefined : EVENT_TYPES.filter((type) => types.has(type)),
  standard_headers: standardHeaders,
});
