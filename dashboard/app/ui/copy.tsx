import { useEffect, useState } from 'preact/hooks';
import { words } from '../words/words.ts';
import { Icon } from './icon.tsx';

/** A value with a button that copies it. */
export function Copy({ value, shown = value }: { readonly value: string; readonly shown?: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1_500);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = (event: Event) => {
    event.stopPropagation();
    event.preventDefault();
    void navigator.clipboard.writeText(value).then(() => setCopied(true));
  };
  return (
    <span class="copy">
      <code title={value}>{shown}</code>
      <button type="button" class="icon-button" onClick={copy} aria-label={`${words.common.copy} ${value}`}>
        <Icon name={copied ? 'check' : 'copy'} />
      </button>
      <span class="visually-hidden" role="status">
        {copied ? words.common.copied : ''}
      </span>
    </span>
  );
}
