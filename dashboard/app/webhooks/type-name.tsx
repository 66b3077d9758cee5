import { Fragment } from 'preact';

/** An event's type, which goes on in the next line after its dot where it has no room. */
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
