/** The strings of the challenge page. */
import type { Language } from '../../../domain/core/languages.ts';

export interface ChallengeStrings {
  readonly title: string;
  readonly intro: string;
  readonly merchant: string;
  readonly amount: string;
  /** Shown instead of the amount when only a mandate is stored. */
  readonly noAmount: string;
  readonly card: string;
  readonly approve: string;
  readonly decline: string;
  readonly simulated: string;
  readonly unknown: string;
}

export const CHALLENGE_STRINGS: Readonly<Record<Language, ChallengeStrings>> = {
  en: {
    title: 'Confirm your payment',
    intro: 'Your bank asks whether this payment is yours.',
    merchant: 'Merchant',
    amount: 'Amount',
    noAmount: 'Save this card for later payments',
    card: 'Card',
    approve: 'Approve',
    decline: 'Decline',
    simulated: 'A simulated bank. No money moves.',
    unknown: 'This confirmation does not exist.',
  },
  de: {
    title: 'Zahlung bestätigen',
    intro: 'Ihre Bank fragt, ob diese Zahlung von Ihnen kommt.',
    merchant: 'Händler',
    amount: 'Betrag',
    noAmount: 'Diese Karte für spätere Zahlungen speichern',
    card: 'Karte',
    approve: 'Bestätigen',
    decline: 'Ablehnen',
    simulated: 'Eine simulierte Bank. Es fließt kein Geld.',
    unknown: 'Diese Bestätigung gibt es nicht.',
  },
  es: {
    title: 'Confirme su pago',
    intro: 'Su banco pregunta si este pago es suyo.',
    merchant: 'Comercio',
    amount: 'Importe',
    noAmount: 'Guardar esta tarjeta para pagos futuros',
    card: 'Tarjeta',
    approve: 'Aprobar',
    decline: 'Rechazar',
    simulated: 'Un banco simulado. No se mueve dinero.',
    unknown: 'Esta confirmación no existe.',
  },
  fr: {
    title: 'Confirmez votre paiement',
    intro: 'Votre banque demande si ce paiement vient de vous.',
    merchant: 'Commerçant',
    amount: 'Montant',
    noAmount: 'Enregistrer cette carte pour des paiements ultérieurs',
    card: 'Carte',
    approve: 'Approuver',
    decline: 'Refuser',
    simulated: 'Une banque simulée. Aucun argent ne circule.',
    unknown: 'Cette confirmation n’existe pas.',
  },
  it: {
    title: 'Confermi il pagamento',
    intro: 'La sua banca chiede se questo pagamento è suo.',
    merchant: 'Esercente',
    amount: 'Importo',
    noAmount: 'Salvare questa carta per pagamenti futuri',
    card: 'Carta',
    approve: 'Approva',
    decline: 'Rifiuta',
    simulated: 'Una banca simulata. Non si muove denaro.',
    unknown: 'Questa conferma non esiste.',
  },
  nl: {
    title: 'Bevestig uw betaling',
    intro: 'Uw bank vraagt of deze betaling van u is.',
    merchant: 'Verkoper',
    amount: 'Bedrag',
    noAmount: 'Deze kaart opslaan voor latere betalingen',
    card: 'Kaart',
    approve: 'Goedkeuren',
    decline: 'Weigeren',
    simulated: 'Een gesimuleerde bank. Er wordt geen geld verplaatst.',
    unknown: 'Deze bevestiging bestaat niet.',
  },
  pl: {
    title: 'Potwierdzenie płatności',
    intro: 'Bank pyta, czy ta płatność została zlecona świadomie.',
    merchant: 'Sprzedawca',
    amount: 'Kwota',
    noAmount: 'Zapisać tę kartę do późniejszych płatności',
    card: 'Karta',
    approve: 'Zatwierdź',
    decline: 'Odrzuć',
    simulated: 'Symulowany bank. Pieniądze nie są przekazywane.',
    unknown: 'To potwierdzenie nie istnieje.',
  },
  pt: {
    title: 'Confirme o seu pagamento',
    intro: 'O seu banco pergunta se este pagamento é seu.',
    merchant: 'Comerciante',
    amount: 'Montante',
    noAmount: 'Guardar este cartão para pagamentos futuros',
    card: 'Cartão',
    approve: 'Aprovar',
    decline: 'Recusar',
    simulated: 'Um banco simulado. Não há movimento de dinheiro.',
    unknown: 'Esta confirmação não existe.',
  },
};
