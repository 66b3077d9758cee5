import { useEffect, useRef, useState } from 'preact/hooks';
import { useAt } from '../api/at.ts';
import { useRead } from '../api/use.ts';
import { ProblemNote } from '../ui/problem.tsx';
import { words } from '../words/words.ts';

export interface Look {
  readonly name: string;
  readonly logo_url: string;
  readonly color: string;
  readonly language: string;
}

/** The preview is reloaded after a pause in typing of this length. */
const TYPED_MS = 200;
const DEVICES = [
  { name: 'desktop', width: 1_280, height: 800 },
  { name: 'phone', width: 390, height: 844 },
] as const;
type Device = (typeof DEVICES)[number];

/** The hosted page with the current input, in the size of a desktop and of a phone. */
export function Preview(look: Look) {
  const { environment } = useAt();
  const query = { ...useDebounced(look), environment, origin: location.origin };
  const { data, error } = useRead('previewBranding', { query });
  return (
    <>
      <ProblemNote error={error} />
      <div class="previews">
        {DEVICES.map((device) => (
          <figure key={device.name} class={`hosted ${device.name}`}>
            <Screen device={device} url={data?.url} />
            <figcaption>{words.branding[device.name]}</figcaption>
          </figure>
        ))}
      </div>
    </>
  );
}

/** The value, debounced. */
function useDebounced(look: Look): Look {
  const [debounced, setDebounced] = useState(look);
  const { name, logo_url, color, language } = look;
  useEffect(() => {
    const timer = setTimeout(() => setDebounced({ name, logo_url, color, language }), TYPED_MS);
    return () => clearTimeout(timer);
  }, [name, logo_url, color, language]);
  return debounced;
}

/** Shows the previous page until the next one has loaded on top of it. */
function Screen({ device: { name, width, height }, url }: { device: Device; url: string | undefined }) {
  const [shown, setShown] = useState<string>();
  const [box, scale] = useScale(width);
  const urls = [...new Set([shown, url])].filter((each) => each !== undefined);
  return (
    <div class="hosted-page" ref={box} style={{ height: `${height * scale}px` }}>
      {urls.map((each) => (
        <iframe
          key={each}
          src={each}
          title={`${words.branding.preview}: ${words.branding[name]}`}
          sandbox="allow-scripts"
          tabIndex={-1}
          width={width}
          height={height}
          style={{ transform: `scale(${scale})` }}
          onLoad={() => each === url && setShown(each)}
        />
      ))}
    </div>
  );
}

/** Scale at which a page of this width fits the element. */
function useScale(width: number) {
  const box = useRef<HTMLDivElement>(null);
  const [scale, setScale] = useState(0);
  useEffect(() => {
    if (!box.current) return;
    const observer = new ResizeObserver(([entry]) => entry && setScale(entry.contentRect.width / width));
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [width]);
  return [box, scale] as const;
}
