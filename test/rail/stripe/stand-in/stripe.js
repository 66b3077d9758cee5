/**
 * Stands in for Stripe's browser script: each field is a frame of another origin, and an API call with the
 * publishable key creates payment methods. Its own URL says where the API is.
 */
(() => {
  const origin = new URL(document.currentScript.src).origin;
  const FIELDS = { cardNumber: 'number', cardExpiry: 'expiry', cardCvc: 'cvc' };
  const WALLETS = { applePay: 'apple_pay', googlePay: 'google_pay' };

  const emitter = () => {
    const heard = {};
    return {
      on: (event, hear) => {
        heard[event] = [...(heard[event] ?? []), hear];
      },
      emit: (event, detail) => {
        for (const hear of heard[event] ?? []) hear(detail);
      },
    };
  };

  function cardField(values, type) {
    const { on, emit } = emitter();
    const name = FIELDS[type];
    const frame = document.createElement('iframe');
    frame.src = `${origin}/stand-in/field.html#${name}`;
    frame.title = `Stripe ${name}`;
    // The height of Stripe's field.
    Object.assign(frame.style, { width: '100%', height: '22px', border: '0' });
    addEventListener('message', ({ source, data }) => {
      if (source !== frame.contentWindow) return;
      if (data.type === 'ready') emit('ready');
      if (data.type === 'enter') document.forms[0].requestSubmit();
      if (data.type !== 'value') return;
      values[name] = data.value;
      const complete = name === 'number' ? data.value.length === 16 : data.value.length >= 3;
      emit('change', { complete, empty: data.value === '', brand: 'visa', error: undefined });
    });
    return {
      on,
      mount: (place) => place.replaceChildren(frame),
      destroy: () => frame.remove(),
      focus: () => frame.contentWindow.postMessage({ type: 'focus' }, origin),
    };
  }

  function walletButton(options, amount) {
    const { on, emit } = emitter();
    const [wallet] = Object.keys(WALLETS).filter((name) => options.paymentMethods[name] === 'always');
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = `Pay ${amount ?? 'nothing'} with ${wallet}`;
    button.addEventListener('click', () => emit('confirm', {}));
    return {
      on,
      wallet: WALLETS[wallet],
      mount(place) {
        place.replaceChildren(button);
        setTimeout(() => emit('ready', { availablePaymentMethods: { [wallet]: true } }));
      },
      destroy: () => button.remove(),
    };
  }

  function elements({ amount } = {}) {
    const values = {};
    const group = {
      values,
      create(type, options) {
        const element = type in FIELDS ? cardField(values, type) : walletButton(options, amount);
        if (element.wallet) group.wallet = element.wallet;
        return Object.assign(element, { group });
      },
      submit: async () => ({}),
    };
    return group;
  }

  async function createPaymentMethod(publishableKey, { card, elements: group }) {
    const { number = '', expiry = '', cvc = '' } = card?.group.values ?? {};
    if (!group && number.length < 16) {
      return {
        error: {
          type: 'validation_error',
          code: 'incomplete_number',
          message: 'Your card number is incomplete.',
        },
      };
    }
    const typed = group ? { number: '4242424242424242', wallet: group.wallet } : { number, expiry, cvc };
    const response = await fetch(`${origin}/v1/payment_methods`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${publishableKey}`,
        'Content-Type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams(typed),
    });
    const body = await response.json();
    return response.ok
      ? { paymentMethod: body }
      : { error: { ...body.error, message: 'Your card number is incorrect.' } };
  }

  window.Stripe = (publishableKey) => ({
    elements,
    createPaymentMethod: (details) => createPaymentMethod(publishableKey, details),
  });
})();
