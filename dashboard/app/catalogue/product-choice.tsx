import { useState } from 'preact/hooks';
import { useRead } from '../api/use.ts';
import { CheckField, TextField } from '../ui/field.tsx';
import { Loading } from '../ui/page.tsx';
import { ProblemNote } from '../ui/problem.tsx';
import { words } from '../words/words.ts';

interface ProductChoiceProps {
  readonly chosen: readonly Choice[];
  readonly onChosen: (chosen: readonly Choice[]) => void;
}

export interface Choice {
  readonly id: string;
  readonly name: string;
}

const SHOWN = 20;

/** The chosen products, and below them a search, whose newest matches are shown. */
export function ProductChoice({ chosen, onChosen }: ProductChoiceProps) {
  const [q, setQ] = useState('');
  const query = { q: q.trim() || undefined, status: 'active' as const, limit: SHOWN };
  const { data, error } = useRead('searchProducts', { query });
  const others = (data?.data ?? []).filter(({ id }) => !chosen.some((each) => each.id === id));
  return (
    <fieldset class="choices">
      <legend>{words.storefront.products}</legend>
      <TextField
        label={words.storefront.findProduct}
        hint={words.products.search}
        type="search"
        value={q}
        onValue={setQ}
      />
      {chosen.map((each) => (
        <CheckField
          key={each.id}
          label={each.name}
          checked
          onValue={() => onChosen(chosen.filter(({ id }) => id !== each.id))}
        />
      ))}
      {others.map(({ id, name }) => (
        <CheckField
          key={id}
          label={name}
          checked={false}
          onValue={() => onChosen([...chosen, { id, name }])}
        />
      ))}
      {!data && !error && <Loading />}
      <ProblemNote error={error} />
    </fieldset>
  );
}
