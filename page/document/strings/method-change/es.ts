import type { MethodChangeStrings } from './shape.ts';

export const es: MethodChangeStrings = {
  own: {
    heading: 'Cambie su método de pago',
    currentCard: 'Su tarjeta actual: {brand} terminada en {last4}',
    save: 'Guardar esta tarjeta',
    saveAndPay: 'Guardar esta tarjeta y pagar {amount}',
    termsNext:
      'Hoy no se cobra nada. A partir del {date} se cobrarán {price} {every} en la nueva tarjeta, hasta que se cancele la suscripción.',
    termsDue:
      'Quedan pendientes {amount}. Se cobrarán en la nueva tarjeta en cuanto su banco la confirme, y {price} {every} a partir del {date}.',
    termsEnding: 'Hoy no se cobra nada. La suscripción termina el {date} y no se vuelve a cobrar.',
    termsDueEnding:
      'Quedan pendientes {amount}. Se cobrarán en la nueva tarjeta en cuanto su banco la confirme. La suscripción termina el {date} y no se vuelve a cobrar.',
    termsPaused: 'Hoy no se cobra nada. La suscripción queda en pausa desde el {date}, hasta que se reanude.',
    termsDuePaused:
      'Quedan pendientes {amount}. Se cobrarán en la nueva tarjeta en cuanto su banco la confirme. Después la suscripción queda en pausa, hasta que se reanude.',
    changedAndDueBody:
      'La nueva tarjeta está guardada. Los {amount} pendientes se cobran ahora en ella, y {merchant} ya lo sabe.',
    overTitle: 'Este enlace ya no se puede usar',
    overBody:
      'Hay uno más reciente o la suscripción ha terminado. No se ha cambiado nada. {merchant} puede ayudarle.',
  },
  instead: {
    pageTitle: 'Método de pago en {merchant}',
    timeLeft: 'Tiempo restante:',
    minutesLeftSpoken: { one: 'Queda un minuto.', other: 'Quedan {count} minutos.' },
    formHeading: 'Nuevo método de pago',
    emailHint: 'Para mensajes sobre esta suscripción.',
    payingAs: 'Suscripción de {email}',
    methodLegend: 'Usar a partir de ahora',
    cancelPlain: 'Conservar la tarjeta actual',
    cancelTitle: '¿Conservar la tarjeta actual?',
    cancelBody: 'No se cambia nada y esta página ya no se podrá usar.',
    cancelConfirm: 'Conservarla',
    cancelKeep: 'Seguir cambiando',
    busySlowHint: 'Deje esta página abierta.',
    processingTitle: 'Su nueva tarjeta se está comprobando',
    elsewhereTitle: 'Este cambio está en curso en otra pestaña',
    elsewhereBody: 'Termínelo allí. Esta página mostrará el resultado en cuanto lo haya.',
    sentTitle: 'Se ha enviado una tarjeta desde esta página',
    sentBody: 'Aún no sabemos si se ha guardado. Lo estamos averiguando y esta página se lo dirá.',
    challengeBody: 'Confirme la tarjeta con su banco. Con ello no se cobra nada.',
    challengeLeaveBody:
      'Este intento se abandona. Después puede intentarlo de nuevo, también con otra tarjeta.',
    unknownTitle: 'Aún no sabemos si la tarjeta se ha guardado',
    unknownBody: 'La conexión se cortó en mal momento. Lo seguimos averiguando y esta página se lo dirá.',
    reconciliationBody:
      'Su banco no ha dado una respuesta clara. Lo seguimos averiguando; puede cerrar esta página y abrirla más tarde en la misma dirección. {merchant} también conocerá el resultado.',
    cancellingTitle: 'Se conserva la tarjeta actual',
    trialTitle: 'Su método de pago se ha cambiado',
    trialBody: 'A partir de ahora se cobrará en la nueva tarjeta. {merchant} ya lo sabe.',
    expiredTitle: 'El tiempo para este cambio ha terminado',
    expiredBody: 'No se ha cambiado nada. Pida a {merchant} un nuevo enlace si aún desea cambiar la tarjeta.',
    expiringBody: 'Nos aseguramos de que ya no se cambie nada.',
    exhaustedTitle: 'No se ha podido guardar la tarjeta',
    exhaustedBody:
      'Ningún intento ha tenido éxito y no se ha cambiado nada. Pida a {merchant} un nuevo enlace.',
    cancelledTitle: 'No se ha cambiado nada',
    cancelledBody: 'Se conserva su tarjeta actual.',
    resolvedTitle: 'No se ha podido guardar la tarjeta',
    resolvedBody:
      'Se ha comprobado a mano: no se ha cambiado nada. {merchant} puede ayudarle con los siguientes pasos.',
    notStartedTitle: 'La tarjeta no se ha guardado',
    declinedTitle: 'La tarjeta ha sido rechazada',
    notConfirmedTitle: 'La tarjeta no se ha confirmado',
  },
};
