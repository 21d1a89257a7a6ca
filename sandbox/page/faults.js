// @ts-check

/**
 * @typedef {'card' | 'mail' | 'hubnet' | 'remadata' | 'datamart' | 'reloadly' | 'sms' | 'whatsapp'} Service
 * @typedef {{ label: string, service: Service, fault: Record<string, unknown> }} Preset
 */

/** @type {Record<Service, { name: string, address: string }>} */
export const SERVICES = {
  card: { name: 'Card provider', address: '/api/sandbox/card' },
  mail: { name: 'E-mail', address: '/api/sandbox/mail' },
  hubnet: { name: 'Hubnet', address: '/api/sandbox/supplier/hubnet' },
  remadata: { name: 'RemaData', address: '/api/sandbox/supplier/remadata' },
  datamart: { name: 'DataMart', address: '/api/sandbox/supplier/datamart' },
  reloadly: { name: 'Reloadly', address: '/api/sandbox/supplier/reloadly' },
  sms: { name: 'SMS', address: '/api/sandbox/sms' },
  whatsapp: { name: 'WhatsApp', address: '/api/sandbox/whatsapp' },
}

/** @type {Preset[]} */
export const FAULTS = [
  { label: 'The webhook of a payment is lost', service: 'card', fault: { call: 'webhook', kind: 'lose' } },
  { label: 'The webhook comes 30 seconds late', service: 'card', fault: { call: 'webhook', kind: 'delay', delayMs: 30_000 } },
  { label: 'The webhook comes five times at once', service: 'card', fault: { call: 'webhook', kind: 'repeat', count: 5 } },
  { label: 'Someone forges the webhook', service: 'card', fault: { call: 'webhook', kind: 'bad-signature' } },
  { label: 'The webhook holds nonsense', service: 'card', fault: { call: 'webhook', kind: 'body', body: [] } },
  { label: 'Starting a payment fails', service: 'card', fault: { call: 'initialize', kind: 'error' } },
  { label: 'Starting a payment gets no answer', service: 'card', fault: { call: 'initialize', kind: 'hang' } },
  { label: 'Starting a payment takes 5 seconds', service: 'card', fault: { call: 'initialize', kind: 'slow', delayMs: 5_000 } },
  { label: 'Asking about a payment fails', service: 'card', fault: { call: 'verify', kind: 'error' } },
  { label: 'Asking about a payment gets no answer', service: 'card', fault: { call: 'verify', kind: 'hang' } },
  { label: 'The answer about a payment is cut off', service: 'card', fault: { call: 'verify', kind: 'malformed' } },
  {
    label: 'The answer about a payment names 1 pesewa',
    service: 'card',
    fault: { call: 'verify', kind: 'data', data: { amount: 1, requested_amount: 1 } },
  },
  { label: 'The answer about a payment is in naira', service: 'card', fault: { call: 'verify', kind: 'data', data: { currency: 'NGN' } } },
  ...cardCallFaults('customer', 'Looking a payer up'),
  ...cardCallFaults('list', 'Listing a payer’s payments'),
  ...cardCallFaults('recipient', 'Naming the receiver of a transfer'),
  ...cardCallFaults('transfer', 'A transfer to mobile money'),
  ...cardCallFaults('verify-transfer', 'Asking about a transfer'),
  ...cardCallFaults('refund', 'A refund to the payer'),
  ...cardCallFaults('list-refunds', 'Asking about refunds'),
  ...supplierFaults('hubnet', 'Hubnet'),
  ...hubnetFaults(),
  ...supplierFaults('remadata', 'RemaData'),
  ...supplierFaults('datamart', 'DataMart'),
  // Its replies have no `data`, and nobody verifies a number for airtime.
  ...supplierFaults('reloadly', 'Reloadly').filter(({ fault }) => fault.kind !== 'data' && fault.word === undefined),
  ...reloadlyFaults(),
  { label: 'An SMS gets no answer, but is sent', service: 'sms', fault: { call: 'send', kind: 'hang', acts: true } },
  { label: 'An SMS gets no answer and is not sent', service: 'sms', fault: { call: 'send', kind: 'hang', acts: false } },
  { label: 'An SMS: success, but the number is called invalid', service: 'sms', fault: { call: 'send', kind: 'invalid-number' } },
  { label: 'An SMS: the sender is not approved', service: 'sms', fault: { call: 'send', kind: 'refuse', cause: 'unapproved-sender' } },
  { label: 'An SMS: the credit is used up', service: 'sms', fault: { call: 'send', kind: 'refuse', cause: 'no-money' } },
  { label: 'An SMS: the key is refused', service: 'sms', fault: { call: 'send', kind: 'refuse', cause: 'bad-key' } },
  { label: 'An SMS: too many requests', service: 'sms', fault: { call: 'send', kind: 'refuse', cause: 'too-often' } },
  { label: 'An SMS: an error that comes with status 200', service: 'sms', fault: { call: 'send', kind: 'refuse', cause: 'error' } },
  { label: 'An SMS never arrives on the phone', service: 'sms', fault: { call: 'report', kind: 'say', status: 'UNDELIVERED' } },
  {
    label: 'The report on an SMS comes 30 seconds late',
    service: 'sms',
    fault: { call: 'report', kind: 'say', status: 'DELIVERED', afterMs: 30_000 },
  },
  {
    label: 'WhatsApp: a message of a customer comes five times',
    service: 'whatsapp',
    fault: { call: 'webhook', kind: 'repeat', count: 5 },
  },
  {
    label: 'WhatsApp: a message of a customer has a wrong signature',
    service: 'whatsapp',
    fault: { call: 'webhook', kind: 'bad-signature' },
  },
  { label: 'WhatsApp: a message of a customer is lost', service: 'whatsapp', fault: { call: 'webhook', kind: 'lose' } },
  {
    label: 'WhatsApp: a message of a customer comes 30 seconds late',
    service: 'whatsapp',
    fault: { call: 'webhook', kind: 'delay', delayMs: 30_000 },
  },
  { label: 'WhatsApp: a reply gets no answer, but is sent', service: 'whatsapp', fault: { call: 'send', kind: 'hang', acts: true } },
  { label: 'WhatsApp: a reply gets no answer and is not sent', service: 'whatsapp', fault: { call: 'send', kind: 'hang', acts: false } },
  { label: 'WhatsApp: too many requests (130429)', service: 'whatsapp', fault: { call: 'send', kind: 'refuse', cause: 'too-often' } },
  {
    label: 'WhatsApp: outside of the 24 hours (131047)',
    service: 'whatsapp',
    fault: { call: 'send', kind: 'refuse', cause: 'outside-window' },
  },
  { label: 'WhatsApp: cannot be delivered (131026)', service: 'whatsapp', fault: { call: 'send', kind: 'refuse', cause: 'undeliverable' } },
  { label: 'WhatsApp: the token has expired (190)', service: 'whatsapp', fault: { call: 'send', kind: 'refuse', cause: 'expired-token' } },
  { label: 'WhatsApp: a reply is taken and then fails', service: 'whatsapp', fault: { call: 'status', kind: 'fail' } },
  { label: 'An e-mail is refused', service: 'mail', fault: { kind: 'refuse' } },
  { label: 'An e-mail gets no answer', service: 'mail', fault: { kind: 'hang' } },
  { label: 'The connection breaks during an e-mail', service: 'mail', fault: { kind: 'drop' } },
]

/**
 * @param {'customer' | 'list' | 'recipient' | 'transfer' | 'verify-transfer' | 'refund' | 'list-refunds'} call
 * @param {string} name
 * @returns {Preset[]}
 */
function cardCallFaults(call, name) {
  return [
    { label: `${name} fails`, service: 'card', fault: { call, kind: 'error' } },
    { label: `${name} gets no answer`, service: 'card', fault: { call, kind: 'hang' } },
  ]
}

/**
 * @param {'hubnet' | 'remadata' | 'datamart' | 'reloadly'} service
 * @param {string} name
 * @returns {Preset[]}
 */
function supplierFaults(service, name) {
  return [
    { label: `${name} takes an order and cuts the line`, service, fault: { call: 'order', kind: 'drop', acts: true } },
    { label: `${name} takes an order and never answers`, service, fault: { call: 'order', kind: 'hang', acts: true } },
    { label: `${name} never answers and takes no order`, service, fault: { call: 'order', kind: 'hang', acts: false } },
    { label: `${name} needs 5 seconds for an order`, service, fault: { call: 'order', kind: 'slow', delayMs: 5_000 } },
    { label: `${name} answers an order with an error page`, service, fault: { call: 'order', kind: 'html' } },
    { label: `${name} answers an order with another reference`, service, fault: { call: 'order', kind: 'wrong-reference' } },
    { label: `${name} finds the phone number invalid`, service, fault: { call: 'order', kind: 'refuse', cause: 'invalid' } },
    { label: `${name} says that the balance is too low`, service, fault: { call: 'order', kind: 'refuse', cause: 'no-money' } },
    { label: `${name} says that the account is not approved`, service, fault: { call: 'order', kind: 'refuse', cause: 'not-approved' } },
    { label: `${name} says that there are too many calls`, service, fault: { call: 'order', kind: 'refuse', cause: 'too-often' } },
    { label: `${name} says that the reference was used`, service, fault: { call: 'order', kind: 'refuse', cause: 'duplicate' } },
    { label: `${name} does not find an order`, service, fault: { call: 'status', kind: 'refuse', cause: 'not-found' } },
    { label: `${name} calls an order “Successful”`, service, fault: { call: 'status', kind: 'data', data: { status: 'Successful' } } },
    { label: `${name} calls an order “Unsettled”`, service, fault: { call: 'status', kind: 'data', data: { status: 'Unsettled' } } },
    { label: `${name} answers a question with an error page`, service, fault: { call: 'status', kind: 'html' } },
    { label: `${name} does not sell the bundle`, service, fault: { call: 'order', kind: 'refuse', cause: 'not-sold' } },
    {
      label: `${name} has the number verified first`,
      service,
      fault: { call: 'delivery', kind: 'end', state: 'processing', word: 'awaiting_verification' },
    },
    { label: `${name} takes an order that then fails`, service, fault: { call: 'delivery', kind: 'end', state: 'failed' } },
    { label: `${name} takes an order that never arrives`, service, fault: { call: 'delivery', kind: 'never' } },
  ]
}

/** @returns {Preset[]} */
function hubnetFaults() {
  const service = 'hubnet'
  return [
    { label: 'Hubnet answers an order in its first style', service, fault: { call: 'order', kind: 'style', style: 'gen-1' } },
    { label: 'Hubnet answers an order with a plain sentence', service, fault: { call: 'order', kind: 'style', style: 'sentence' } },
    { label: "Hubnet's webhook is lost", service, fault: { call: 'webhook', kind: 'lose' } },
    { label: "Hubnet's webhook comes 30 seconds late", service, fault: { call: 'webhook', kind: 'delay', delayMs: 30_000 } },
    { label: "Hubnet's webhook comes five times at once", service, fault: { call: 'webhook', kind: 'repeat', count: 5 } },
    { label: "Hubnet's webhook has the older shape", service, fault: { call: 'webhook', kind: 'flat' } },
  ]
}

/** @returns {Preset[]} */
function reloadlyFaults() {
  const service = 'reloadly'
  return [
    {
      label: 'Reloadly has just served that number',
      service,
      fault: { call: 'order', kind: 'refuse', cause: 'refused', code: 'PHONE_RECENTLY_RECHARGED' },
    },
    {
      label: 'Reloadly takes an order and says that it failed',
      service,
      fault: {
        call: 'order',
        kind: 'reply',
        status: 400,
        body: { message: 'The top-up has failed', errorCode: 'TOPUP_TRANSACTION_FAILED' },
        acts: true,
      },
    },
  ]
}

/**
 * What a fault is called, where it is one of those above to the letter.
 * @param {Service} service
 * @param {Record<string, unknown>} fault
 */
export function nameFault(service, fault) {
  const same = (/** @type {[string, unknown]} */ [field, value]) => JSON.stringify(fault[field]) === JSON.stringify(value)
  return FAULTS.find((one) => one.service === service && Object.entries(one.fault).every(same))?.label ?? null
}

/**
 * How a service names the one order, payment or receiver that a fault is meant for.
 * @param {Service} service
 * @param {string} only
 */
export function aimAt(service, only) {
  if (only === '') return {}
  if (service === 'mail' || service === 'sms' || service === 'whatsapp') return { to: only }
  return service !== 'card' && /^0\d{9}$/.test(only) ? { phone: only } : { reference: only }
}
