import { because, type enRailFindings, fieldName } from './en-rail-findings.ts';

export const deRailFindings: typeof enRailFindings = {
  findings: {
    credential_incomplete: ({ field = '' }) => `${fieldName(field)} fehlt oder ist falsch geschrieben.`,
    credential_wrong_mode: ({ field = '' }) => `${fieldName(field)} gehört zur anderen Umgebung.`,
    credential_of_other_account: () => 'Das Geheimnis gehört zu einem anderen Konto.',
    publishable_key_mismatch: ({ account }) =>
      `Der veröffentlichbare Schlüssel gehört nicht zum Konto ${account}: Käufer würden ihre Karten anderswohin senden.`,
    account_not_asked: ({ why }) => `Das Konto ließ sich nicht abfragen: ${why}.`,
    account_found: ({ account }) => `Der Schlüssel öffnet das Konto ${account}.`,
    account_active: ({ account }) => `Das Konto ${account} ist aktiv.`,
    account_not_active: ({ account }) => `Das Konto ${account} ist beim Zahlungsdienst nicht aktiv.`,
    charges_off: () => 'Der Zahlungsdienst hat Abbuchungen für dieses Konto abgeschaltet.',
    currency_taken: ({ currency }) => `Es nimmt Karten in ${currency} an.`,
    currency_not_taken: ({ currency, why }) => `Es nimmt keine Karten in ${currency} an${because(why)}.`,
    cards_stored: () => 'Es kann Karten speichern und später ohne den Käufer belasten.',
    cards_not_stored: ({ why }) => `Es kann keine Karten speichern${because(why)}.`,
    refunds_read: () =>
      'Es kann Erstattungen lesen; erst die erste Erstattung zeigt, ob der Schlüssel sie auch anlegen darf.',
    refunds_not_possible: ({ why }) => `Es kann nicht erstatten${because(why)}.`,
    wallet_taken: ({ wallet }) => `Es nimmt ${wallet} an.`,
    wallet_not_registered: ({ wallet, host }) =>
      `${wallet} ist eingeschaltet, aber ${host} ist dafür beim Zahlungsdienst nicht registriert.`,
    wallets_unknown: ({ why }) => `Welche Wallets es annehmen kann, ist unbekannt${because(why)}.`,
    webhooks_complete: () => 'Sein Webhook-Endpunkt sendet jedes Ereignis, das gebraucht wird.',
    webhook_secret_missing: ({ path, events }) =>
      `Es hat noch kein Webhook-Geheimnis: Legen Sie beim Zahlungsdienst einen Endpunkt an, dessen URL auf ${path} endet und der ${events} sendet, und setzen Sie sein Geheimnis.`,
    webhook_endpoint_missing: ({ path, events }) =>
      `Kein Webhook-Endpunkt sendet seine Ereignisse hierher, Ergebnisse kommen also später an: Legen Sie beim Zahlungsdienst einen an, dessen URL auf ${path} endet und der ${events} sendet.`,
    webhook_events_missing: ({ events }) => `Sein Webhook-Endpunkt sendet ${events} nicht.`,
    webhooks_not_read: ({ why }) => `Seine Webhook-Endpunkte lassen sich nicht lesen${because(why)}.`,
    no_answer_in_time: () =>
      'Der Zahlungsdienst hat nicht rechtzeitig geantwortet: Nichts wurde gespeichert. Versuchen Sie es noch einmal.',
  },
  hints: {
    'stripe secretKey': 'Geheimer oder eingeschränkter Schlüssel, sk_test_… oder sk_live_… (rk_…)',
    'stripe publishableKey':
      'Veröffentlichbarer Schlüssel desselben Kontos und Modus, pk_test_… oder pk_live_…',
    'stripe webhookSecret': 'Signaturgeheimnis des Webhook-Endpunkts, whsec_…; kann später folgen',
    'sandbox account': 'Die ID des Kontos beim simulierten Zahlungsdienst',
    'sandbox secret': 'Sein Zugangsschlüssel',
    'sandbox webhookSecret': 'Das Signaturgeheimnis seiner Webhooks, whsec_…',
  },
  why: {
    account_refused: 'der Schlüssel ist falsch oder darf das nicht',
    cards_off: 'Karten sind abgeschaltet oder für dieses Konto nicht verfügbar',
    connection_lost: 'die Verbindung zum Zahlungsdienst brach ab',
    malformed_answer: 'die Antwort war unverständlich',
    misconfigured: 'der Zahlungsdienst hat die Anfrage abgelehnt',
    not_sent: 'der Zahlungsdienst war nicht erreichbar',
    busy: 'der Zahlungsdienst war überlastet',
    server_error: 'beim Zahlungsdienst ist ein Fehler aufgetreten; versuchen Sie es noch einmal',
    timeout: 'der Zahlungsdienst hat nicht rechtzeitig geantwortet',
  },
};
