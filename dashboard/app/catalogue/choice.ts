import { useState } from 'preact/hooks';

/**
 * The chosen one of some options: at first the preferred or else the first one. It stays chosen if the options are read
 * again in another order or without it, so that nothing else is ordered than what the person saw.
 */
export function useChoice(
  options: readonly string[],
  preferred = '',
): readonly [string, (option: string) => void] {
  const [chosen, setChosen] = useState('');
  const initial = options.includes(preferred) ? preferred : (options[0] ?? '');
  if (chosen === '' && initial !== '') setChosen(initial);
  return [chosen || initial, setChosen];
}
