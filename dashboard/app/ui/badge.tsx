/** A status as text, with a colour for its severity; never the colour alone. */
export type Tone = 'good' | 'bad' | 'wait' | 'calm';

export function Badge({ tone, children }: { readonly tone: Tone; readonly children: string }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}
