import { Fragment } from 'preact';

/** An event type, which may wrap after its dot. */
export function TypeName({ type }: { readonly type: string }) {
  const [first, ...rest] = type.split('.');
  return (
    <code>
      {first}
      {rest.map((part) => (
        <Fragment key={part}>
          .<wbr />
          {part}
        </Fragment>
      ))}
    </code>
  );
}
