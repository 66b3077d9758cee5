import type { Strings } from './shape.ts';

export const es: Strings = {
  direction: 'ltr',
  pageTitle: 'Pagar a {merchant}',
  testMode: 'Modo de prueba',
  testModeHint: 'Esto es una prueba: no se cobra dinero real.',
  notLoaded:
    'No se ha podido cargar esta página. Vuelva a cargarla o ábrala en otro navegador con JavaScript activado. Cargarla nunca genera ningún cobro.',
  reload: 'Volver a cargar la página',
  language: 'Idioma',

  headingPay: 'Pago a {merchant}',
  headingSubscribe: 'Suscripción a {merchant}',
  headingTrial: 'Pruebe {product} gratis',
  headingOrder: 'Su pedido',
  paidOn: 'pagado el {date}',
  nothingCharged: 'aún no se ha cobrado nada',
  notCharged: 'no cobrado',
  dueToday: 'a pagar hoy',
  taxIncluded: 'Incluye {rate} de IVA ({amount})',
  quantity: 'Cantidad',
  net: 'Base imponible',
  taxAt: 'IVA {rate}',
  total: 'Total',
  every: {
    day: { one: 'cada día', other: 'cada {count} días' },
    week: { one: 'cada semana', other: 'cada {count} semanas' },
    month: { one: 'cada mes', other: 'cada {count} meses' },
    year: { one: 'cada año', other: 'cada {count} años' },
  },
  termsRecurring:
    'Hoy paga {now}. A partir del {date} se cobrarán automáticamente {price} {every}, hasta que se cancele la suscripción.',
  termsTrial: {
    one: 'Un día gratis, hoy no se cobra nada. El {date} se cobrarán automáticamente {price} y después {every}, hasta que se cancele la suscripción.',
    other:
      '{count} días gratis, hoy no se cobra nada. El {date} se cobrarán automáticamente {price} y después {every}, hasta que se cancele la suscripción.',
  },
  termsPaid:
    'A partir del {date} se cobrarán automáticamente {price} {every}, hasta que se cancele la suscripción.',
  termsTrialBegun:
    'El {date} se cobrarán automáticamente {price} y después {every}, hasta que se cancele la suscripción.',
  termsCycles: 'Termina por sí sola tras {count} pagos en total.',
  trialUsed: 'La prueba gratuita ya se ha utilizado.',
  termsCoupon: {
    one: 'El código descuenta {amount} del primer pago.',
    other: 'El código descuenta {amount} de cada uno de los primeros {count} pagos.',
  },
  coupon: 'Código {code}: −{amount}',
  planPrice: '{price} {every}',
  planPriceAfterTrial: 'después, {price} {every}',

  timeLeft: 'Tiempo para pagar:',
  minutesLeftSpoken: { one: 'Queda un minuto para pagar.', other: 'Quedan {count} minutos para pagar.' },
  timeOver: 'Se acabó el tiempo',

  formHeading: 'Datos de pago',
  emailLabel: 'Correo electrónico',
  emailHint: 'Para mensajes sobre esta compra.',
  emailMissing: 'Introduzca su correo electrónico.',
  emailInvalid: 'Introduzca un correo electrónico, por ejemplo nombre@example.com.',
  nameLabel: 'Nombre en la factura',
  nameHint:
    'La factura no puede imprimir todos los caracteres de «{name}». Escriba el nombre con caracteres que se puedan imprimir o deje el campo vacío: en ese caso, la factura mostrará un código por cada uno de ellos.',
  nameUnprintable:
    'La factura tampoco puede imprimir este nombre. Pruebe a escribirlo de otra forma o deje el campo vacío.',
  payingAs: 'Paga como {email}',
  methodLegend: 'Pagar con',
  methodCard: 'Tarjeta',
  methodApplePay: 'Apple Pay',
  methodGooglePay: 'Google Pay',
  methodSimulated: 'simulado',
  walletHint: 'Pulse el botón de abajo para confirmar con su monedero.',
  cardFieldsTitle: 'Datos de la tarjeta',
  cardFieldsLoading: 'Cargando los campos de la tarjeta…',
  cardFieldsFailed:
    'No se han podido cargar los campos de la tarjeta. Compruebe su conexión y vuelva a cargarlos.',
  cardFieldsRetry: 'Volver a cargar',
  cardFieldsIncomplete: 'Compruebe los datos de la tarjeta.',
  cardFieldsUnavailable:
    'Ahora mismo no es posible pagar. No se ha cobrado nada. Vuelva a intentarlo más tarde.',
  pay: 'Pagar {amount}',
  paySubscribe: 'Suscribirse y pagar {amount}',
  payTrial: 'Pedido con obligación de pago',
  firstCharge: 'Primer cobro: {price} el {date}, después {every}',
  secureNote: 'Los datos de la tarjeta se envían cifrados al proveedor de pagos. La tienda nunca los ve.',
  cancel: 'Cancelar y volver a la tienda',
  cancelPlain: 'Cancelar este pago',
  cancelTitle: '¿Cancelar este pago?',
  cancelBody: 'No se cobrará nada y esta página ya no servirá para pagar.',
  cancelConfirm: 'Cancelar el pago',
  cancelKeep: 'Seguir pagando',
  returnToShop: 'Volver a {merchant}',

  busyCard: 'Comprobando su tarjeta…',
  busyProof: 'Comprobando el navegador…',
  busyProofHint: 'Tarda unos segundos.',
  busyWallet: 'Confirme con su monedero…',
  busyBank: 'Consultando a su banco…',
  busySlow: 'Está tardando más de lo habitual…',
  busySlowHint: 'Deje esta página abierta y no vuelva a pagar.',
  busyCancel: 'Cancelando…',

  processingTitle: 'Su pago se está procesando',
  processingBody: 'Estamos consultando a su banco. Deje esta página abierta.',
  elsewhereTitle: 'Este pago está en curso en otra pestaña',
  elsewhereBody: 'Termínelo allí. Esta página mostrará el resultado en cuanto lo haya. No vuelva a pagar.',
  sentTitle: 'Se ha enviado un pago desde esta página',
  sentBody:
    'Aún no sabemos si ha llegado. No vuelva a pagar: lo estamos averiguando y esta página se lo dirá.',
  challengeTitle: 'Su banco quiere asegurarse de que es usted',
  challengeBody: 'Confirme el pago con su banco. Antes no se cobra nada.',
  challengeOpen: 'Continuar a su banco',
  challengeFrameTitle: 'Confirmación de su banco',
  challengeLoading: 'Abriendo la página de su banco…',
  challengeClose: 'Cerrar',
  challengeLeaveTitle: '¿Detener la confirmación?',
  challengeLeaveBody:
    'Este intento se abandona y no se cobra nada por él. Después puede volver a pagar, también con otra tarjeta.',
  challengeLeave: 'Detener',
  challengeStay: 'Seguir confirmando',
  challengeCheckTitle: 'Consultando a su banco',
  challengeReturned: 'Su banco ha respondido. Puede cerrar esta ventana si sigue abierta.',
  challengeReturnedLink: 'Volver a la página de pago',
  challengeNone: 'Ya no hay nada que confirmar.',
  unknownTitle: 'Aún no sabemos si ha pagado',
  unknownBody:
    'La conexión se cortó en mal momento. No vuelva a pagar: lo seguimos averiguando y esta página se lo dirá.',
  reconciliationTitle: 'Estamos averiguando qué ha ocurrido',
  reconciliationBody:
    'Su banco no ha dado una respuesta clara. No vuelva a pagar. Lo seguimos averiguando; puede cerrar esta página y abrirla más tarde en la misma dirección. {merchant} también conocerá el resultado.',
  cancellingTitle: 'Cancelando el pago',
  cancellingBody: 'Estamos pidiendo a su banco que lo detenga. Esta página le dirá si ha llegado a tiempo.',
  offline: 'Está sin conexión. Esta página continuará sola cuando vuelva la conexión.',
  reconnecting: 'La conexión se ha interrumpido. Nuevo intento…',

  succeededTitle: 'Pago realizado',
  succeededBody: 'Ha pagado {amount} a {merchant}.',
  trialTitle: 'Su prueba gratuita ha comenzado',
  trialBody: 'Hoy no se ha cobrado nada. {merchant} ya lo sabe.',
  confirmedTitle: 'Confirmado',
  confirmedBody: 'Vuelva al dispositivo o a la ventana en la que está pagando: allí se muestra el resultado.',
  alreadyPaidTitle: 'Esto ya está pagado',
  alreadyPaidBody: 'Ha pagado {amount} a {merchant}. Aquí no queda nada por hacer.',
  keepMethod: 'Usar este medio de pago también para los próximos pagos de la suscripción.',
  paidElsewhereTitle: 'Esta factura está pagada',
  paidElsewhereBody: 'La factura se pagó por otra vía. No queda nada que hacer aquí.',
  linkOverTitle: 'Este enlace ya no se puede usar',
  linkOverBody: 'La factura ya no está pendiente. Aquí no se ha cobrado nada. {merchant} puede ayudarle.',
  receiptProduct: 'Producto',
  receiptAmount: 'Importe',
  receiptDate: 'Fecha',
  receiptReference: 'Referencia',
  receiptInvoice: 'Factura (PDF)',
  contact: '¿Tiene preguntas?',
  redirecting: 'Volviendo a {merchant}…',
  expiredTitle: 'El tiempo para pagar ha terminado',
  expiredBody: 'No se ha cobrado nada. Vuelva a {merchant} y empiece de nuevo si aún desea comprar.',
  expiringBody: 'Nos aseguramos de que ya no se cobre nada.',
  exhaustedTitle: 'El pago no se ha realizado',
  exhaustedBody:
    'Ningún intento ha tenido éxito y no se ha cobrado nada. Vuelva a {merchant} para empezar de nuevo, también con otra tarjeta.',
  cancelledTitle: 'El pago se ha cancelado',
  cancelledBody: 'No se ha cobrado nada.',
  resolvedTitle: 'El pago no se ha realizado',
  resolvedBody: 'Se ha comprobado a mano: no ha pagado. {merchant} puede ayudarle con los siguientes pasos.',
  notFoundTitle: 'Esta página de pago no existe',
  notFoundBody:
    'Puede que el enlace esté incompleto. Vuelva a la tienda e inténtelo de nuevo. No se ha cobrado nada.',
  unavailableTitle: 'Esta página no se puede mostrar ahora mismo',
  unavailableBody: 'Vuelva a cargarla en un momento. Cargarla nunca genera ningún cobro.',
  loadAgain: 'Volver a cargar',

  lapsedTitle: 'Su pago no ha comenzado',
  lapsedBody:
    'Se tardaba demasiado en contactar con su banco, así que lo hemos detenido. No se ha cobrado nada. Puede intentarlo de nuevo.',
  termsChangedTitle: 'Compruebe el importe',
  termsChangedBody:
    'El precio ha cambiado desde que se mostró en esta página. No se ha cobrado nada. Compruebe el importe y vuelva a pulsar el botón.',
  subscribedTitle: 'Ya tiene esta suscripción',
  subscribedBody:
    'Su suscripción está activa, así que no se ha contratado por segunda vez. No se ha cobrado nada.',
  tooManyTitle: 'Ha ido un poco rápido',
  tooManyBody: 'Espere un minuto e inténtelo de nuevo. Este clic no ha cobrado nada.',
  railOutTitle: 'Ahora mismo no es posible pagar con tarjeta',
  railOutBody: 'Inténtelo de nuevo en unos minutos. Hasta entonces no se cobra nada.',
  declinedTitle: 'El pago ha sido rechazado',
  notConfirmedTitle: 'El pago no se ha confirmado',
  attemptsLeft: { one: 'Le queda un intento.', other: 'Le quedan {count} intentos.' },
  declines: {
    card_declined:
      'Su banco no ha indicado el motivo. No se ha cobrado nada. Use otra tarjeta o consulte a su banco.',
    insufficient_funds: 'No hay suficiente dinero en esta tarjeta. No se ha cobrado nada. Use otra tarjeta.',
    expired_card: 'Esta tarjeta ha caducado. No se ha cobrado nada. Use otra tarjeta.',
    incorrect_cvc:
      'El código de seguridad es incorrecto. No se ha cobrado nada. Compruébelo e inténtelo de nuevo.',
    incorrect_number:
      'El número de tarjeta es incorrecto. No se ha cobrado nada. Compruébelo e inténtelo de nuevo.',
    lost_or_stolen_card:
      'Su banco no permite pagar con esta tarjeta. No se ha cobrado nada. Use otra tarjeta.',
    suspected_fraud:
      'Su banco no permite este pago. No se ha cobrado nada. Use otra tarjeta o consulte a su banco.',
    authentication_failed:
      'Su banco no ha podido confirmar que era usted. No se ha cobrado nada. Inténtelo de nuevo o use otra tarjeta.',
    authentication_required:
      'Su banco quiere que confirme el pago. No se ha cobrado nada. Inténtelo de nuevo y siga sus pasos.',
    processing_error:
      'Su banco no ha podido procesar el pago. No se ha cobrado nada. Inténtelo de nuevo en un momento.',
    cancelled:
      'La confirmación se ha detenido o ha tardado demasiado. No se ha cobrado nada. Puede intentarlo de nuevo.',
  },
};
