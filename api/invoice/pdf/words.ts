/** The texts of an invoice in the languages of the hosted page. */
export interface InvoiceWords {
  readonly locale: string;
  readonly title: string;
  readonly creditNote: string;
  readonly creditNoteNumber: string;
  readonly corrects: string;
  readonly reverses: string;
  readonly number: string;
  readonly issued: string;
  readonly supplied: string;
  readonly period: string;
  readonly billTo: string;
  readonly vatId: string;
  readonly taxId: string;
  readonly description: string;
  readonly quantity: string;
  readonly unitNet: string;
  readonly rate: string;
  readonly net: string;
  readonly vat: string;
  readonly gross: string;
  readonly totalLines: string;
  readonly totalNet: string;
  readonly vatOn: (rate: string, base: string) => string;
  readonly total: string;
  readonly totalCredited: string;
  readonly noVat: string;
  readonly page: (page: number, pages: number) => string;
}

const en: InvoiceWords = {
  // Formats numbers and dates unambiguously for Europe.
  locale: 'en-IE',
  title: 'Invoice',
  creditNote: 'Credit note',
  creditNoteNumber: 'Credit note number',
  corrects: 'Corrects invoice',
  reverses: 'Reverses credit note',
  number: 'Invoice number',
  issued: 'Date of issue',
  supplied: 'Date of supply',
  period: 'Service period',
  billTo: 'Bill to',
  vatId: 'VAT ID',
  taxId: 'Tax ID',
  description: 'Description',
  quantity: 'Qty',
  unitNet: 'Unit price (net)',
  rate: 'VAT rate',
  net: 'Net',
  vat: 'VAT',
  gross: 'Gross',
  totalLines: 'Total of items (net)',
  totalNet: 'Total net',
  vatOn: (rate, base) => `VAT ${rate} on ${base}`,
  total: 'Total',
  totalCredited: 'Total credited',
  noVat: 'No VAT is charged on items at 0%.',
  page: (page, pages) => `Page ${page} of ${pages}`,
};

const de: InvoiceWords = {
  locale: 'de-DE',
  title: 'Rechnung',
  creditNote: 'Rechnungskorrektur',
  creditNoteNumber: 'Korrekturnummer',
  corrects: 'Korrigiert Rechnung',
  reverses: 'Hebt Korrektur auf',
  number: 'Rechnungsnummer',
  issued: 'Rechnungsdatum',
  supplied: 'Leistungsdatum',
  period: 'Leistungszeitraum',
  billTo: 'Rechnung an',
  vatId: 'USt-IdNr.',
  taxId: 'Steuernummer',
  description: 'Leistung',
  quantity: 'Menge',
  unitNet: 'Einzelpreis (netto)',
  rate: 'USt-Satz',
  net: 'Netto',
  vat: 'USt',
  gross: 'Brutto',
  totalLines: 'Summe der Positionen (netto)',
  totalNet: 'Summe netto',
  vatOn: (rate, base) => `USt ${rate} auf ${base}`,
  total: 'Gesamtbetrag',
  totalCredited: 'Korrigierter Betrag',
  noVat: 'Für Positionen mit 0 % wird keine Umsatzsteuer berechnet.',
  page: (page, pages) => `Seite ${page} von ${pages}`,
};

export function invoiceWords(language: string | null): InvoiceWords {
  return language?.toLowerCase().startsWith('de') ? de : en;
}
