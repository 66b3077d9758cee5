/** German text for API errors that the dashboard does not word itself; English shows the API's message. */
export const deProblems: Readonly<Record<string, string>> = {
  // A request
  invalid_request: 'Eine Angabe fehlt oder ist ungültig.',
  unknown_field: 'Eine Angabe ist dem Dienst unbekannt. Laden Sie die Seite neu.',
  invalid_json: 'Der Dienst konnte die Angaben nicht lesen. Laden Sie die Seite neu.',
  access_token_role_missing: 'Ihr Konto hat keine Rolle in diesem Dienst.',
  idempotency_key_in_progress: 'Diese Anfrage läuft noch. Versuchen Sie es gleich noch einmal.',
  idempotency_key_conflict:
    'Die Angaben haben sich seit dem ersten Versuch geändert. Öffnen Sie dies noch einmal.',
  request_timeout: 'Die Anfrage kam nicht rechtzeitig an. Versuchen Sie es noch einmal.',
  payload_too_large: 'Die Angaben sind zu umfangreich.',
  internal_error: 'Im Dienst ist ein Fehler aufgetreten. Nennen Sie dem Support die Anfrage-ID.',
  merchant_not_found: 'Diesen Händler gibt es nicht.',
  merchant_feature_not_enabled: 'Für diesen Händler sind Abonnements nicht freigeschaltet.',

  // API keys, storefront clients and processor accounts
  api_key_limit_reached: 'Diese Umgebung hat schon zwanzig API-Schlüssel: Widerrufen Sie zuerst einen.',
  api_key_not_found: 'Diesen API-Schlüssel gibt es nicht, oder er ist abgelaufen oder widerrufen.',
  checkout_client_not_found: 'Diesen Storefront-Client gibt es nicht.',
  rail_account_not_found: 'Dieses Konto gibt es nicht, oder es lässt sich nicht prüfen.',
  rail_account_refused: 'Das Konto wurde nicht gespeichert.',

  // Webhooks
  webhook_endpoint_limit_reached:
    'Diese Umgebung hat schon zehn Webhook-Endpunkte: Löschen Sie zuerst einen.',
  webhook_endpoint_not_enabled: 'Der Webhook-Endpunkt ist angehalten oder abgeschaltet.',
  webhook_recovery_in_progress: 'Verpasste Ereignisse werden schon gesendet.',
  webhook_secret_overlap_running: 'Das vorige Geheimnis gilt noch.',

  // Catalogue
  coupon_not_found: 'Diesen Gutschein gibt es nicht.',
  external_reference_taken: 'Ein anderes Produkt hat schon diese Referenz.',
  offering_not_found: 'Diese Tarifgruppe gibt es nicht, oder sie ist nicht aktiv.',
  plan_not_found: 'Diesen Tarif gibt es nicht, oder er ist nicht aktiv.',
  price_move_date_invalid:
    'Der Tag liegt vor Ablauf der Ankündigungsfrist oder mehr als fünf Jahre in der Zukunft.',
  price_move_exists: 'Die Abonnenten dieses Preises werden schon umgestellt. Brechen Sie das zuerst ab.',
  price_move_incompatible:
    'Umstellen lässt sich nur von einem ersetzten Preis auf den aktiven, mit gleichem Zeitraum und gleicher Währung.',
  price_move_not_found: 'Diese Umstellung gibt es nicht.',
  price_not_found: 'Dieses Produkt hat diesen Preis nicht.',
  price_terms_inconsistent: 'Ein wiederkehrender Preis braucht einen Zeitraum, ein einmaliger hat keinen.',
  recurring_price_interval_missing: 'Dem wiederkehrenden Preis fehlt der Zeitraum.',
  product_image_refused:
    'Unter dieser Adresse liegt kein JPEG-, PNG- oder WebP-Bild, das gezeigt werden kann.',

  // Payments and invoices
  invoice_not_payable: 'Diese Rechnung ist nicht zu bezahlen.',
  invoice_older_unpaid: 'Eine ältere Rechnung des Abonnements ist unbezahlt: Sie muss zuerst bezahlt werden.',
  payment_method_declined:
    'Das hinterlegte Zahlungsmittel kann nicht mehr belastet werden: Der Kunde muss es ersetzen.',
  payment_not_refundable:
    'Die Zahlung ist noch nicht abgeschlossen, schon erstattet oder hat kein Geld bewegt.',
  payment_rail_activation_in_progress: 'Das Konto beim Zahlungsdienst wird noch aktiviert.',
  payment_rail_unavailable: 'Kein Konto beim Zahlungsdienst kann diese Zahlung gerade annehmen.',
  refunds_not_supported: 'Dieses Konto beim Zahlungsdienst kennt keine Erstattungen.',

  // Subscriptions
  change_needs_period_end:
    'Die Änderung kostet jetzt nichts, oder es ist unbekannt, was für den Zeitraum bezahlt wurde: Wählen Sie das Ende des Zeitraums.',
  offering_unchanged: 'Das Abonnement gehört schon zu dieser Tarifgruppe.',
  plan_incompatible: 'In diesen Tarif kann das Abonnement nicht wechseln.',
  plan_unchanged: 'Das Abonnement hat schon diesen Tarif zum aktuellen Preis.',
  preview_outdated: 'Die Vorschau gilt nicht mehr. Öffnen Sie dies noch einmal.',
  quantity_unchanged: 'Das Abonnement hat schon diese Menge.',
  sandbox_only: 'Nur in der Sandbox lässt sich die Uhr eines Abonnements stellen.',
  subscription_cancel_not_scheduled: 'Das Abonnement ist nicht zum Ende des Zeitraums gekündigt.',
  subscription_cancel_scheduled: 'Das Abonnement endet schon.',
  subscription_change_not_found: 'Diese Änderung gibt es nicht.',
  subscription_change_not_scheduled: 'Die Änderung ist schon ausgeführt oder zurückgenommen.',
  subscription_change_scheduled:
    'Eine andere Änderung ist geplant oder wird gerade abgebucht: Nehmen Sie sie zurück, oder warten Sie die Abbuchung ab.',
  subscription_charge_pending: 'Eine Abbuchung ist noch nicht geklärt. Versuchen Sie es später noch einmal.',
  subscription_charging_stopped: 'Von diesem Abonnement wird nichts abgebucht.',
  subscription_exists: 'Der Kunde hat schon ein laufendes Abonnement, und nur eines ist erlaubt.',
  subscription_finished: 'Das Abonnement ist beendet.',
  subscription_incomplete: 'Die erste Zahlung des Abonnements ist noch nicht gelungen.',
  subscription_not_paused: 'Das Abonnement ist nicht pausiert, und keine Pause ist geplant.',
  subscription_not_trialing: 'Das Abonnement ist nicht in der Probezeit.',
  subscription_past_due:
    'Eine Abbuchung wurde abgelehnt: Die offenen Rechnungen müssen zuerst bezahlt werden.',
  subscription_paused: 'Das Abonnement ist pausiert, oder eine Pause ist geplant: Setzen Sie es zuerst fort.',
  subscription_quantity_invalid: 'Diese Menge erlaubt der Tarif nicht.',
  subscription_trialing: 'In der Probezeit geht das nicht.',
};
