import type { Strings } from './shape.ts';

export const nl: Strings = {
  direction: 'ltr',
  pageTitle: 'Betalen aan {merchant}',
  testMode: 'Testmodus',
  testModeHint: 'Dit is een test: er wordt geen echt geld afgeschreven.',
  notLoaded:
    'Deze pagina kon niet worden geladen. Laad haar opnieuw of open haar in een andere browser met JavaScript ingeschakeld. Door het laden wordt nooit iets afgeschreven.',
  reload: 'Pagina opnieuw laden',
  language: 'Taal',

  headingPay: 'Betaling aan {merchant}',
  headingSubscribe: 'Abonnement bij {merchant}',
  headingTrial: 'Probeer {product} gratis',
  headingOrder: 'Uw bestelling',
  paidOn: 'betaald op {date}',
  nothingCharged: 'nog niets afgeschreven',
  notCharged: 'niet afgeschreven',
  dueToday: 'vandaag te betalen',
  taxIncluded: 'Inclusief {rate} btw ({amount})',
  quantity: 'Aantal',
  net: 'Exclusief btw',
  taxAt: 'Btw {rate}',
  total: 'Totaal',
  every: {
    day: { one: 'elke dag', other: 'elke {count} dagen' },
    week: { one: 'elke week', other: 'elke {count} weken' },
    month: { one: 'elke maand', other: 'elke {count} maanden' },
    year: { one: 'elk jaar', other: 'elke {count} jaar' },
  },
  termsRecurring:
    'U betaalt vandaag {now}. Vanaf {date} wordt {every} automatisch {price} afgeschreven, totdat het abonnement wordt opgezegd.',
  termsTrial: {
    one: 'Eén dag gratis, vandaag wordt niets afgeschreven. Op {date} wordt automatisch {price} afgeschreven en daarna {every}, totdat het abonnement wordt opgezegd.',
    other:
      '{count} dagen gratis, vandaag wordt niets afgeschreven. Op {date} wordt automatisch {price} afgeschreven en daarna {every}, totdat het abonnement wordt opgezegd.',
  },
  termsPaid:
    'Vanaf {date} wordt {every} automatisch {price} afgeschreven, totdat het abonnement wordt opgezegd.',
  termsTrialBegun:
    'Op {date} wordt automatisch {price} afgeschreven en daarna {every}, totdat het abonnement wordt opgezegd.',
  termsCycles: 'Het eindigt vanzelf na in totaal {count} betalingen.',
  trialUsed: 'De gratis proefperiode is al gebruikt.',
  termsCoupon: {
    one: 'De code verlaagt de eerste betaling met {amount}.',
    other: 'De code verlaagt elk van de eerste {count} betalingen met {amount}.',
  },
  coupon: 'Kortingscode {code}: −{amount}',
  planPrice: '{price} {every}',
  planPriceAfterTrial: 'daarna {price} {every}',

  timeLeft: 'Resterende tijd om te betalen:',
  minutesLeftSpoken: {
    one: 'Nog één minuut om te betalen.',
    other: 'Nog {count} minuten om te betalen.',
  },
  timeOver: 'De tijd is om',

  formHeading: 'Betaalgegevens',
  emailLabel: 'E-mailadres',
  emailHint: 'Voor berichten over deze aankoop.',
  emailMissing: 'Vul uw e-mailadres in.',
  emailInvalid: 'Vul een e-mailadres in, bijvoorbeeld naam@example.com.',
  nameLabel: 'Naam op de factuur',
  nameHint:
    'De factuur kan niet alle tekens van ‘{name}’ afdrukken. Vul een schrijfwijze in die wel kan worden afgedrukt, of laat dit veld leeg: dan staat er voor elk van die tekens een code op de factuur.',
  nameUnprintable:
    'Ook deze schrijfwijze kan niet op de factuur worden afgedrukt. Probeer een andere of laat dit veld leeg.',
  payingAs: 'U betaalt als {email}',
  methodLegend: 'Betalen met',
  methodCard: 'Kaart',
  methodApplePay: 'Apple Pay',
  methodGooglePay: 'Google Pay',
  methodSimulated: 'gesimuleerd',
  walletHint: 'Druk op de knop hieronder om met uw wallet te bevestigen.',
  cardFieldsTitle: 'Kaartgegevens',
  cardFieldsLoading: 'Kaartvelden worden geladen…',
  cardFieldsFailed: 'De kaartvelden konden niet worden geladen. Controleer uw verbinding en laad ze opnieuw.',
  cardFieldsRetry: 'Opnieuw laden',
  cardFieldsIncomplete: 'Controleer de kaartgegevens.',
  cardFieldsUnavailable: 'Betalen is nu niet mogelijk. Er is niets afgeschreven. Probeer het later opnieuw.',
  pay: '{amount} betalen',
  paySubscribe: 'Abonneren en {amount} betalen',
  payTrial: 'Bestelling met betalingsverplichting',
  firstCharge: 'Eerste afschrijving: {price} op {date}, daarna {every}',
  secureNote: 'Kaartgegevens gaan versleuteld naar de betaaldienst. De winkel krijgt ze nooit te zien.',
  cancel: 'Annuleren en terug naar de winkel',
  cancelPlain: 'Deze betaling annuleren',
  cancelTitle: 'Deze betaling annuleren?',
  cancelBody: 'Er wordt niets afgeschreven en op deze pagina kan niet meer worden betaald.',
  cancelConfirm: 'Betaling annuleren',
  cancelKeep: 'Verder betalen',
  returnToShop: 'Terug naar {merchant}',

  busyCard: 'Uw kaart wordt gecontroleerd…',
  busyProof: 'Uw browser wordt gecontroleerd…',
  busyProofHint: 'Dit duurt enkele seconden.',
  busyWallet: 'Bevestig met uw wallet…',
  busyBank: 'Contact met uw bank…',
  busySlow: 'Dit duurt langer dan normaal…',
  busySlowHint: 'Laat deze pagina open en betaal niet nog een keer.',
  busyCancel: 'Wordt geannuleerd…',

  processingTitle: 'Uw betaling wordt verwerkt',
  processingBody: 'We vragen het aan uw bank. Laat deze pagina open.',
  elsewhereTitle: 'Hiervoor wordt in een ander tabblad betaald',
  elsewhereBody:
    'Rond het daar af. Deze pagina toont het resultaat zodra het er is. Betaal niet nog een keer.',
  sentTitle: 'Vanaf deze pagina is een betaling verstuurd',
  sentBody:
    'We weten nog niet of ze is gelukt. Betaal niet nog een keer: we vragen het na en deze pagina laat het u weten.',
  challengeTitle: 'Uw bank wil zeker weten dat u het bent',
  challengeBody: 'Bevestig de betaling bij uw bank. Daarvóór wordt niets afgeschreven.',
  challengeOpen: 'Verder naar uw bank',
  challengeFrameTitle: 'Bevestiging door uw bank',
  challengeLoading: 'De pagina van uw bank wordt geopend…',
  challengeClose: 'Sluiten',
  challengeLeaveTitle: 'Stoppen met bevestigen?',
  challengeLeaveBody:
    'Deze poging wordt opgegeven en er wordt niets voor afgeschreven. Daarna kunt u opnieuw betalen, ook met een andere kaart.',
  challengeLeave: 'Stoppen',
  challengeStay: 'Verder bevestigen',
  challengeCheckTitle: 'Navraag bij uw bank',
  challengeReturned: 'Uw bank heeft geantwoord. U kunt dit venster sluiten als het open blijft.',
  challengeReturnedLink: 'Terug naar de betaalpagina',
  challengeNone: 'Er valt niets meer te bevestigen.',
  unknownTitle: 'We weten nog niet of u hebt betaald',
  unknownBody:
    'De verbinding viel op een slecht moment weg. Betaal niet nog een keer: we blijven het navragen en deze pagina laat het u weten.',
  reconciliationTitle: 'We zoeken uit wat er is gebeurd',
  reconciliationBody:
    'Uw bank heeft geen duidelijk antwoord gegeven. Betaal niet nog een keer. We blijven het navragen; u mag deze pagina sluiten en later op hetzelfde adres weer openen. Ook {merchant} krijgt het resultaat.',
  cancellingTitle: 'De betaling wordt geannuleerd',
  cancellingBody: 'We vragen uw bank om haar te stoppen. Deze pagina laat u weten of dat op tijd was.',
  offline: 'U bent offline. Deze pagina gaat vanzelf verder zodra de verbinding er weer is.',
  reconnecting: 'De verbinding is onderbroken. Nieuwe poging…',

  succeededTitle: 'Betaling gelukt',
  succeededBody: 'U hebt {amount} betaald aan {merchant}.',
  trialTitle: 'Uw gratis proefperiode is begonnen',
  trialBody: 'Vandaag is niets afgeschreven. {merchant} is op de hoogte.',
  confirmedTitle: 'Bevestigd',
  confirmedBody: 'Ga terug naar het apparaat of venster waarin u betaalt: daar staat het resultaat.',
  alreadyPaidTitle: 'Dit is al betaald',
  alreadyPaidBody: 'U hebt {amount} betaald aan {merchant}. Hier hoeft u niets meer te doen.',
  keepMethod: 'Deze betaalmethode ook voor de volgende betalingen van het abonnement gebruiken.',
  paidElsewhereTitle: 'Deze factuur is betaald',
  paidElsewhereBody: 'De factuur is op een andere manier betaald. Hier hoeft u niets meer te doen.',
  linkOverTitle: 'Deze link is niet meer te gebruiken',
  linkOverBody: 'De factuur staat niet meer open. Hier is niets afgeschreven. {merchant} kan u helpen.',
  receiptProduct: 'Product',
  receiptAmount: 'Bedrag',
  receiptDate: 'Datum',
  receiptReference: 'Referentie',
  receiptInvoice: 'Factuur (PDF)',
  contact: 'Vragen?',
  redirecting: 'U wordt doorgestuurd naar {merchant}…',
  expiredTitle: 'De tijd om te betalen is om',
  expiredBody: 'Er is niets afgeschreven. Ga terug naar {merchant} en begin opnieuw als u nog wilt kopen.',
  expiringBody: 'We zorgen ervoor dat er niets meer wordt afgeschreven.',
  exhaustedTitle: 'De betaling is niet gelukt',
  exhaustedBody:
    'Geen van de pogingen is gelukt en er is niets afgeschreven. Ga terug naar {merchant} om opnieuw te beginnen, ook met een andere kaart.',
  cancelledTitle: 'De betaling is geannuleerd',
  cancelledBody: 'Er is niets afgeschreven.',
  resolvedTitle: 'De betaling is niet gelukt',
  resolvedBody: 'Dit is handmatig nagegaan: u hebt niet betaald. {merchant} helpt u verder.',
  notFoundTitle: 'Deze betaalpagina bestaat niet',
  notFoundBody:
    'De link is misschien niet volledig. Ga terug naar de winkel en probeer het opnieuw. Er is niets afgeschreven.',
  unavailableTitle: 'Deze pagina kan nu niet worden getoond',
  unavailableBody: 'Laad haar zo meteen opnieuw. Door het laden wordt nooit iets afgeschreven.',
  loadAgain: 'Opnieuw laden',

  lapsedTitle: 'Uw betaling is niet gestart',
  lapsedBody:
    'Het duurde te lang om uw bank te bereiken, daarom zijn we gestopt. Er is niets afgeschreven. U kunt het opnieuw proberen.',
  termsChangedTitle: 'Controleer het bedrag',
  termsChangedBody:
    'De prijs is veranderd sinds deze pagina hem toonde. Er is niets afgeschreven. Controleer het bedrag en klik daarna nog een keer.',
  subscribedTitle: 'U hebt dit abonnement al',
  subscribedBody:
    'Uw abonnement loopt al en is daarom niet nog een keer afgesloten. Er is niets afgeschreven.',
  tooManyTitle: 'Dat ging iets te snel',
  tooManyBody: 'Wacht een minuut en probeer het opnieuw. Met deze klik is niets afgeschreven.',
  railOutTitle: 'Betalen met een kaart is nu niet mogelijk',
  railOutBody: 'Probeer het over enkele minuten opnieuw. Tot die tijd wordt niets afgeschreven.',
  declinedTitle: 'De betaling is geweigerd',
  notConfirmedTitle: 'De betaling is niet bevestigd',
  attemptsLeft: { one: 'U hebt nog één poging.', other: 'U hebt nog {count} pogingen.' },
  declines: {
    card_declined:
      'Uw bank gaf geen reden. Er is niets afgeschreven. Gebruik een andere kaart of vraag het uw bank.',
    insufficient_funds:
      'Er staat niet genoeg geld op deze kaart. Er is niets afgeschreven. Gebruik een andere kaart.',
    expired_card: 'Deze kaart is verlopen. Er is niets afgeschreven. Gebruik een andere kaart.',
    incorrect_cvc:
      'De beveiligingscode is onjuist. Er is niets afgeschreven. Controleer de code en probeer het opnieuw.',
    incorrect_number:
      'Het kaartnummer is onjuist. Er is niets afgeschreven. Controleer het en probeer het opnieuw.',
    lost_or_stolen_card:
      'Uw bank staat met deze kaart geen betalingen toe. Er is niets afgeschreven. Gebruik een andere kaart.',
    suspected_fraud:
      'Uw bank staat deze betaling niet toe. Er is niets afgeschreven. Gebruik een andere kaart of vraag het uw bank.',
    authentication_failed:
      'Uw bank kon niet bevestigen dat u het was. Er is niets afgeschreven. Probeer het opnieuw of gebruik een andere kaart.',
    authentication_required:
      'Uw bank wil dat u de betaling bevestigt. Er is niets afgeschreven. Probeer het opnieuw en volg de stappen van uw bank.',
    processing_error:
      'Uw bank kon de betaling niet verwerken. Er is niets afgeschreven. Probeer het zo meteen opnieuw.',
    cancelled:
      'De bevestiging is gestopt of duurde te lang. Er is niets afgeschreven. U kunt het opnieuw proberen.',
  },
};
