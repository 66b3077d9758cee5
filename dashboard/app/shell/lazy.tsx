import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Loading } from '../ui/page.tsx';
import type { PageProps } from '../ui/page-props.ts';
import { ProblemNote } from '../ui/problem.tsx';

type Shown = FunctionComponent<PageProps>;

export interface LazyPage extends Shown {
  /** Loads the script before the page is shown. */
  preload(): void;
}

/** A page whose script is loaded when it is first opened. */
export function lazy(load: () => Promise<Shown>): LazyPage {
  let loaded: Shown | undefined;
  return Object.assign(Lazy, { preload: () => void load().catch(() => {}) });

  function Lazy(props: PageProps) {
    const [Loaded, setLoaded] = useState<Shown | undefined>(() => loaded);
    const [error, setError] = useState<unknown>(null);
    useEffect(() => {
      if (Loaded) return;
      load().then((page) => {
        loaded = page;
        setLoaded(() => page);
      }, setError);
    }, [Loaded]);
    if (error) return <ProblemNote error={error} />;
    return Loaded ? <Loaded {...props} /> : <Loading />;
  }
}
