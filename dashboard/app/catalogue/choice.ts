import { useState } from 'preact/hooks';

/**
 * The selected option: at first the preferred one, or else the first. It stays selected if the options are refetched in
 * another order or without it, so that the person orders exactly what they saw.
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
