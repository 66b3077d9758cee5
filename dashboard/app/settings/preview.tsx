import { paletteOf } from '../../../page/document/colour.ts';
import { CATALOGUES, isLanguage } from '../../../page/document/strings/index.ts';
import { LANGUAGE } from '../words/language.ts';
import { words } from '../words/words.ts';

interface PreviewProps {
  readonly name: string;
  readonly logo: string;
  readonly color: string | null;
  /** Empty: the buyer's, of which the person's stands here. */
  readonly language: string;
}

/** The hosted page in small, with the page's own palette and words: as on a desktop, and as on a phone. */
export function Preview(props: PreviewProps) {
  return (
    <div class="previews" aria-hidden="true">
      <Hosted {...props} device="desktop" />
      <Hosted {...props} device="phone" />
    </div>
  );
}

function Hosted({
  name,
  logo,
  color,
  language,
  device,
}: PreviewProps & { readonly device: 'desktop' | 'phone' }) {
  const shown = [language, LANGUAGE.slice(0, 2)].find(isLanguage) ?? 'en';
  const strings = CATALOGUES[shown];
  const amount = (19).toLocaleString(language || LANGUAGE, { style: 'currency', currency: 'EUR' });
  const { brand, onBrand, tint } = paletteOf(color);
  const logoUrl = logo.startsWith('https://') && URL.canParse(logo) ? logo : null;
  return (
    <figure class={`hosted ${device}`} lang={shown}>
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
          <p>{strings.headingPay.replace('{merchant}', name)}</p>
          <p class="hosted-amount">{amount}</p>
        </div>
        <div class="hosted-work">
          <span class="hosted-field">{strings.emailLabel}</span>
          <span class="hosted-field">{strings.methodCard}</span>
          <span class="hosted-pay" style={{ background: brand, color: onBrand }}>
            {strings.pay.replace('{amount}', amount)}
          </span>
        </div>
      </div>
      <figcaption lang={LANGUAGE}>{words.branding[device]}</figcaption>
    </figure>
  );
}
