import { html } from './html.ts';
import { layout } from './layout.ts';

export function problemPage(problem: string, detail = ''): string {
  return layout(
    'Harbour Coffee',
    html`<section class="outcome">
  <h1>${problem}</h1>
  <p class="detail">${detail}</p>
  <p><a class="button" href="/">Back to the shop</a></p>
</section>`,
  );
}
