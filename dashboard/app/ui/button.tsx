import type { ComponentChildren, JSX } from 'preact';

interface ButtonProps extends Omit<JSX.ButtonHTMLAttributes<HTMLButtonElement>, 'loading'> {
  readonly children: ComponentChildren;
  readonly kind?: 'plain' | 'primary' | 'danger' | 'quiet';
  readonly busy?: boolean;
}

export function Button({ kind = 'plain', busy = false, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      class={`button ${kind}`}
      aria-busy={busy}
      disabled={busy || rest.disabled}
    >
      {children}
    </button>
  );
}
