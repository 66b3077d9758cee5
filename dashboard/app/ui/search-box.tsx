import { useEffect, useRef, useState } from 'preact/hooks';
import { words } from '../words/words.ts';
import { Icon } from './icon.tsx';
import { useUrlState } from './url-state.ts';

/** Searches on Enter and on blur; `/` focuses it. */
export function SearchBox({ hint }: { readonly hint: string }) {
  const [filterOf, set] = useUrlState();
  const current = filterOf('q');
  const [typed, setTyped] = useState(current);
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => setTyped(current), [current]);
  const search = () => typed.trim() !== current && set({ q: typed.trim(), cursor: '' });
  return (
    <form
      class="search"
      onSubmit={(event) => {
        event.preventDefault();
        search();
      }}
    >
      <Icon name="search" />
      <input
        ref={box}
        type="search"
        data-search
        aria-label={words.lists.search}
        aria-describedby="search-hint"
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        onBlur={search}
      />
      <kbd>/</kbd>
      <p id="search-hint" class="hint">
        {hint}
      </p>
    </form>
  );
}
