import { paletteOf } from '../../../page/document/colour.ts';
import { money } from '../words/format.ts';
import { words } from '../words/words.ts';

const AMOUNT = money(1_900, 'EUR');

interface PreviewProps {
  readonly name: string;
  readonly logo: string;
  readonly color: string | null;
}

/** The hosted page in small, by the page's own palette: as on a desktop, and as on a phone. */
export function Preview(props: PreviewProps) {
  return (
    <div class="previews" aria-hidden="true">
      <Hosted {...props} device="desktop" />
      <Hosted {...props} device="phone" />
    </div>
  );
}

function Hosted({ name, logo, color, device }: PreviewProps & { readonly device: 'desktop' | 'phone' }) {
  const { brand, onBrand, tint } = paletteOf(color);
  const logoUrl = logo.startsWith('https://') && URL.canParse(logo) ? logo : null;
  return (
    <figure class={`hosted ${device}`}>
      <div class="hosted-page">
        <div class="hosted-summary" style={{ background: tint }}>
          <p class="hosted-merchant">
            {logoUrl ? (
              <img src={logoUrl} alt="" />
            ) : (
              <span class="hosted-monogram" style={{ background: brand, color: onBrand }}>
                {[...name][0]}
              </span>
            )}
            {name}
          </p>
          <p>{words.branding.total}</p>
          <p class="hosted-amount">{AMOUNT}</p>
        </div>
        <div class="hosted-work">
          <span class="hosted-field">{words.branding.email}</span>
          <span class="hosted-field">{words.branding.card}</span>
          <span class="hosted-pay" style={{ background: brand, color: onBrand }}>
            {words.branding.pay} {AMOUNT}
          </span>
        </div>
      </div>
      <figcaption>{words.branding[device]}</figcaption>
    </figure>
  );
}
