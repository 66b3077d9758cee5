/** The texts of an invoice in the languages of the hosted page. */
import { type Language, languageOfTag } from '../../../domain/core/languages.ts';

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
  // `en-IE` formats numbers and dates unambiguously for Europe.
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

const es: InvoiceWords = {
  locale: 'es-ES',
  title: 'Factura',
  creditNote: 'Factura rectificativa',
  creditNoteNumber: 'Número de factura rectificativa',
  corrects: 'Rectifica la factura',
  reverses: 'Anula la factura rectificativa',
  number: 'Número de factura',
  issued: 'Fecha de expedición',
  supplied: 'Fecha de la operación',
  period: 'Período de facturación',
  billTo: 'Facturar a',
  vatId: 'NIF-IVA',
  taxId: 'NIF',
  description: 'Descripción',
  quantity: 'Cant.',
  unitNet: 'Precio unitario (sin IVA)',
  rate: 'Tipo de IVA',
  net: 'Base',
  vat: 'IVA',
  gross: 'Importe con IVA',
  totalLines: 'Suma de las líneas (sin IVA)',
  totalNet: 'Base imponible',
  vatOn: (rate, base) => `IVA ${rate} sobre ${base}`,
  total: 'Total',
  totalCredited: 'Total rectificado',
  noVat: 'No se aplica IVA a los conceptos al 0 %.',
  page: (page, pages) => `Página ${page} de ${pages}`,
};

const fr: InvoiceWords = {
  locale: 'fr-FR',
  title: 'Facture',
  creditNote: 'Avoir',
  creditNoteNumber: 'Numéro d’avoir',
  corrects: 'Rectifie la facture',
  reverses: 'Annule l’avoir',
  number: 'Numéro de facture',
  issued: 'Date d’émission',
  supplied: 'Date de la prestation',
  period: 'Période de prestation',
  billTo: 'Facturé à',
  vatId: 'N° TVA',
  taxId: 'N° fiscal',
  description: 'Désignation',
  quantity: 'Qté',
  unitNet: 'Prix unitaire HT',
  rate: 'Taux TVA',
  net: 'HT',
  vat: 'TVA',
  gross: 'TTC',
  totalLines: 'Total des lignes HT',
  totalNet: 'Total HT',
  vatOn: (rate, base) => `TVA ${rate} sur ${base}`,
  total: 'Total TTC',
  totalCredited: 'Total de l’avoir',
  noVat: 'Aucune TVA n’est facturée sur les articles à 0 %.',
  page: (page, pages) => `Page ${page} sur ${pages}`,
};

const it: InvoiceWords = {
  locale: 'it-IT',
  title: 'Fattura',
  creditNote: 'Nota di credito',
  creditNoteNumber: 'Numero nota di credito',
  corrects: 'Rettifica la fattura',
  reverses: 'Storna la nota di credito',
  number: 'Numero fattura',
  issued: 'Data di emissione',
  supplied: 'Data della prestazione',
  period: 'Periodo di riferimento',
  billTo: 'Intestata a',
  vatId: 'Partita IVA',
  taxId: 'Codice fiscale',
  description: 'Descrizione',
  quantity: 'Qtà',
  unitNet: 'Prezzo unitario (netto)',
  rate: 'Aliquota IVA',
  net: 'Imponibile',
  vat: 'IVA',
  gross: 'Lordo',
  totalLines: 'Totale delle righe (netto)',
  totalNet: 'Totale imponibile',
  vatOn: (rate, base) => `IVA ${rate} su ${base}`,
  total: 'Totale',
  totalCredited: 'Totale a credito',
  noVat: 'Per le voci allo 0% non viene applicata l’IVA.',
  page: (page, pages) => `Pagina ${page} di ${pages}`,
};

const nl: InvoiceWords = {
  locale: 'nl-NL',
  title: 'Factuur',
  creditNote: 'Creditfactuur',
  creditNoteNumber: 'Creditfactuurnummer',
  corrects: 'Corrigeert factuur',
  reverses: 'Draait creditfactuur terug',
  number: 'Factuurnummer',
  issued: 'Factuurdatum',
  supplied: 'Leverdatum',
  period: 'Periode',
  billTo: 'Factuur aan',
  vatId: 'Btw-nummer',
  taxId: 'Belastingnummer',
  description: 'Omschrijving',
  quantity: 'Aantal',
  unitNet: 'Prijs per stuk (excl. btw)',
  rate: 'Btw-tarief',
  net: 'Excl. btw',
  vat: 'Btw',
  gross: 'Incl. btw',
  totalLines: 'Totaal van de regels (excl. btw)',
  totalNet: 'Totaal excl. btw',
  vatOn: (rate, base) => `Btw ${rate} over ${base}`,
  total: 'Totaal',
  totalCredited: 'Totaal gecrediteerd',
  noVat: 'Over posten met 0% wordt geen btw berekend.',
  page: (page, pages) => `Pagina ${page} van ${pages}`,
};

const pl: InvoiceWords = {
  locale: 'pl-PL',
  title: 'Faktura',
  creditNote: 'Faktura korygująca',
  creditNoteNumber: 'Numer faktury korygującej',
  corrects: 'Koryguje fakturę',
  reverses: 'Wycofuje fakturę korygującą',
  number: 'Numer faktury',
  issued: 'Data wystawienia',
  supplied: 'Data sprzedaży',
  period: 'Okres rozliczeniowy',
  billTo: 'Nabywca',
  vatId: 'NIP UE',
  taxId: 'NIP',
  description: 'Nazwa',
  quantity: 'Ilość',
  unitNet: 'Cena jedn. netto',
  rate: 'Stawka VAT',
  net: 'Netto',
  vat: 'VAT',
  gross: 'Brutto',
  totalLines: 'Razem pozycje netto',
  totalNet: 'Razem netto',
  vatOn: (rate, base) => `VAT ${rate} od ${base}`,
  total: 'Do zapłaty razem',
  totalCredited: 'Kwota korekty',
  noVat: 'Od pozycji ze stawką 0% nie nalicza się VAT.',
  page: (page, pages) => `Strona ${page} z ${pages}`,
};

const pt: InvoiceWords = {
  locale: 'pt-PT',
  title: 'Fatura',
  creditNote: 'Nota de crédito',
  creditNoteNumber: 'Número da nota de crédito',
  corrects: 'Retifica a fatura',
  reverses: 'Anula a nota de crédito',
  number: 'Número da fatura',
  issued: 'Data de emissão',
  supplied: 'Data da prestação',
  period: 'Período de faturação',
  billTo: 'Faturado a',
  vatId: 'NIF-IVA',
  taxId: 'NIF',
  description: 'Descrição',
  quantity: 'Qtd.',
  unitNet: 'Preço unitário (s/ IVA)',
  rate: 'Taxa de IVA',
  net: 'Sem IVA',
  vat: 'IVA',
  gross: 'Com IVA',
  totalLines: 'Soma das linhas (s/ IVA)',
  totalNet: 'Total sem IVA',
  vatOn: (rate, base) => `IVA ${rate} sobre ${base}`,
  total: 'Total',
  totalCredited: 'Total creditado',
  noVat: 'Não é cobrado IVA nos artigos a 0%.',
  page: (page, pages) => `Página ${page} de ${pages}`,
};

const CATALOGUES: Readonly<Record<Language, InvoiceWords>> = { de, en, es, fr, it, nl, pl, pt };

export function invoiceWords(language: string | null): InvoiceWords {
  return CATALOGUES[languageOfTag(language) ?? 'en'];
}
