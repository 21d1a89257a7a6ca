// @ts-check
import { byId, call, fill, make, time, withLinks } from './dom.js'
import { aimAt, FAULTS, nameFault, SERVICES } from './faults.js'
import { formatPesewas } from './money.js'

/**
 * @typedef {import('./faults.js').Service} Service
 * @typedef {{ id: string, service: string, status: string, segments: number, reportResult: string | null }} SmsDetails
 * @typedef {{ channel: 'email' | 'sms', to: string, subject?: string, body: string, at: string, sms?: SmsDetails }} Message
 * @typedef {{ id: string, state: string, attempts: number, lastResult: string | null, dueAt: string | null }} WebhookEvent
 * @typedef {{ reference: string, email: string, amountPesewas: number, requestedAmountPesewas: number, currency: string, status: string,
 *   gatewayResponse: string, createdAt: string, paidAt: string | null, paysAt: string | null, webhookEvents: WebhookEvent[] }} Payment
 * @typedef {{ supplier: 'hubnet' | 'remadata' | 'datamart' | 'reloadly', id: string, reference: string, phone: string, network: string, volumeMb: number,
 *   airtimePesewas?: number,
 *   costPesewas: number, state: string, word: string | null, reason: string, createdAt: string,
 *   end: { state: string, at: string } | null, webhookEvents: WebhookEvent[] }} Delivery
 * @typedef {{ balancePesewas: number, callsPerMinute: number | null, refusesDuplicates: boolean, deliversAfterMs: number | null }} SupplierSettings
 * @typedef {{ name: 'hubnet' | 'remadata' | 'datamart' | 'reloadly', settings: SupplierSettings,
 *   tally: { deliveries: number, duplicates: number, refusedDuplicates: number } }} Supplier
 * @typedef {{ service: Service, at: string, method: string, url: string, status: number | null }} Call
 * @typedef {{ call?: string, kind: string, reference?: string, phone?: string, to?: string, times: number } & Record<string, unknown>} Fault
 * @typedef {{ messages: Message[], payments: Payment[], deliveries: Delivery[], suppliers: Supplier[], sms: { credit: number },
 *   calls: Call[], faults: Record<Service, Fault[]> }} State
 */

const REFRESH_MS = 3_000
const REFRESH_AFTER_FAILURE_MS = 15_000
const SHOWN_AT_FIRST = 5
const FULL_BALANCE_PESEWAS = 10_000_00
const FULL_CREDIT = 10_000
const USUAL_CALLS_PER_MINUTE = 5
const USUAL_DELIVERY_MS = 5_000

const refresh = byId('refresh', HTMLInputElement)
const faultChoice = byId('fault', HTMLSelectElement)
const faultReference = byId('fault-reference', HTMLInputElement)
const clearFaults = byId('clear-faults', HTMLButtonElement)

/** @type {State | null} */
let state = null
/** @type {number | undefined} */
let timer
let channel = 'all'
/** @type {Set<string>} */
const shownWhole = new Set()

for (const [service, { name }] of Object.entries(SERVICES)) {
  const group = document.createElement('optgroup')
  group.label = name
  FAULTS.forEach((one, index) => {
    if (one.service === service) group.append(new Option(one.label, String(index)))
  })
  faultChoice.append(group)
}
byId('fault-form', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault()
  void addChosenFault()
})
clearFaults.addEventListener('click', () => {
  void change(async () => {
    for (const { address } of Object.values(SERVICES)) await call('DELETE', `${address}/faults`)
  })
})
for (const choice of document.querySelectorAll('input[name=channel]')) {
  choice.addEventListener('change', () => {
    if (choice instanceof HTMLInputElement) channel = choice.value
    if (state) present(state)
  })
}
for (const name of ['messages', 'payments', 'deliveries', 'calls']) {
  byId(`all-${name}`, HTMLButtonElement).addEventListener('click', () => {
    shownWhole.add(name)
    if (state) present(state)
  })
}
refresh.addEventListener('change', () => {
  void load()
})
document.addEventListener('visibilitychange', () => {
  void load()
})
void load()

/** Polls only while the page is visible, and seldom while the shop does not answer. */
async function load() {
  clearTimeout(timer)
  if (document.hidden) return
  let wait = REFRESH_MS
  try {
    present(await call('GET', '/api/sandbox/state'))
    complain(null)
  } catch (error) {
    complain(sayWhy(error))
    wait = REFRESH_AFTER_FAILURE_MS
  }
  clearTimeout(timer)
  if (refresh.checked) timer = window.setTimeout(() => void load(), wait)
}

/** @param {State} next */
function present(next) {
  announceNews(state, next)
  state = next
  const services = /** @type {Service[]} */ (Object.keys(SERVICES))
  const faults = services.flatMap((service) => next.faults[service].map((fault) => ({ service, fault })))
  const messages = next.messages.filter((message) => channel === 'all' || message.channel === channel)
  fill(
    'message-list',
    'no-messages',
    newest('messages', messages),
    (message) => `${message.at} ${message.to} ${message.subject}`,
    messageCard,
  )
  fill('payment-list', 'no-payments', newest('payments', next.payments), (payment) => payment.reference, paymentCard)
  fill('delivery-list', 'no-deliveries', newest('deliveries', next.deliveries), (delivery) => delivery.id, deliveryCard)
  fill('supplier-list', 'no-suppliers', next.suppliers, ({ name }) => name, supplierCard)
  fill('sms-list', 'no-sms', [next.sms], () => 'sms', smsCard)
  fill('fault-list', 'no-faults', faults, (_, index) => String(index), faultCard)
  fill('call-list', 'no-calls', newest('calls', next.calls), (one) => `${one.at} ${one.service} ${one.url}`, callLine)
  clearFaults.hidden = faults.length === 0
}

/**
 * The first few, with a button for the rest, so that a long list does not bury the next one.
 * @template T
 * @param {'messages' | 'payments' | 'deliveries' | 'calls'} name
 * @param {T[]} items
 */
function newest(name, items) {
  const rest = byId(`all-${name}`, HTMLButtonElement)
  const whole = shownWhole.has(name) || items.length <= SHOWN_AT_FIRST
  rest.hidden = whole
  rest.textContent = `Show all ${items.length} ${name}`
  return whole ? items : items.slice(0, SHOWN_AT_FIRST)
}

/** @param {Message} message */
function messageCard({ channel: by, to, subject, body, at, sms }) {
  return [
    make('div', 'row', [make('span', 'badge', [by === 'email' ? 'E-mail' : 'SMS']), time(at)]),
    make('h3', '', [subject ?? to]),
    ...(subject === undefined ? [] : [make('p', 'small muted', [`to ${to}`])]),
    make('p', 'body', withLinks(body)),
    ...(sms ? smsDetails(sms) : []),
  ]
}

/** @param {SmsDetails} details */
function smsDetails({ id, service, status, segments, reportResult }) {
  const parts = segments === 1 ? '1 part' : `${segments} parts`
  const heard = reportResult ? `, the shop answered the report with ${reportResult}` : ''
  const report = (/** @type {string} */ next) => call('POST', `/api/sandbox/sms/messages/${id}/report`, { status: next })
  const line = make('p', 'small muted', [`${service === 'arkesel' ? 'Arkesel' : 'mNotify'} · ${parts} · ${status.toLowerCase()}${heard}`])
  if (status !== 'SUBMITTED') return [line]
  return [
    line,
    make('div', 'actions', [
      button('Report as delivered', () => report('DELIVERED')),
      button('Report as not delivered', () => report('UNDELIVERED')),
    ]),
  ]
}

/** @param {Delivery} delivery */
function deliveryCard(delivery) {
  const { supplier, reference, state: stands, end } = delivery
  const act = `${SERVICES[supplier].address}/deliveries/${encodeURIComponent(reference)}`
  const tells = supplier === 'hubnet'
  /** @type {HTMLElement[]} */
  const actions = []
  if (stands === 'accepted' || stands === 'processing') {
    actions.push(button('Mark as delivered', () => call('POST', `${act}/state`, { state: 'delivered' })))
    if (tells) {
      actions.push(button('Mark as delivered, no webhook', () => call('POST', `${act}/state`, { state: 'delivered', webhook: false })))
    }
    actions.push(button('Mark as failed', () => call('POST', `${act}/state`, { state: 'failed' })))
  } else if (tells) actions.push(button('Send the webhook again', () => call('POST', `${act}/webhook`)))
  const details = [SERVICES[supplier].name, delivery.network, formatPesewas(delivery.costPesewas, 'GHS'), delivery.reason]
  return [
    make('div', 'row', [
      make('h3', '', [
        `${delivery.airtimePesewas ? `Airtime of ${formatPesewas(delivery.airtimePesewas, 'GHS')}` : formatVolume(delivery.volumeMb)} to ${delivery.phone}`,
      ]),
      make('span', `badge ${badgeOf(stands)}`, [stands]),
    ]),
    make('div', 'row', [make('span', 'code', [reference]), time(delivery.createdAt)]),
    make('p', 'small muted', [details.filter(Boolean).join(' · ')]),
    ...(delivery.word === null ? [] : [make('p', 'small', [`The supplier calls it “${delivery.word}”.`])]),
    ...(end ? [make('p', 'small', [`It will be ${end.state} at `, time(end.at), '.'])] : []),
    ...delivery.webhookEvents.map(webhookLine),
    ...(actions.length > 0 ? [make('div', 'actions', actions)] : []),
  ]
}

/** @param {Supplier} supplier */
function supplierCard({ name, settings, tally }) {
  const { balancePesewas, callsPerMinute, refusesDuplicates, deliversAfterMs } = settings
  const set = (/** @type {object} */ changes) => () => call('PATCH', `${SERVICES[name].address}/settings`, changes)
  const twice = tally.duplicates === 0 ? 'none twice' : `${tally.duplicates} too many`
  const limit = callsPerMinute === null ? 'As many calls as come' : `At most ${callsPerMinute} calls a minute`
  const delivers = deliversAfterMs === null ? 'delivers when you say so' : `delivers after ${deliversAfterMs / 1000} s`
  const repeats = refusesDuplicates ? 'refuses a used reference' : 'delivers a used reference again'
  return [
    make('div', 'row', [make('h3', '', [SERVICES[name].name]), make('span', 'money', [formatPesewas(balancePesewas, 'GHS')])]),
    make('div', 'row', [
      make('span', 'small', [`${tally.deliveries} ${tally.deliveries === 1 ? 'delivery' : 'deliveries'}`]),
      make('span', `badge ${tally.duplicates === 0 ? 'done' : 'danger'}`, [twice]),
    ]),
    make('p', 'small muted', [`${limit}; ${delivers}; ${repeats}.`]),
    make('div', 'actions', [
      balancePesewas === 0
        ? button('Fill the balance', set({ balancePesewas: FULL_BALANCE_PESEWAS }))
        : button('Empty the balance', set({ balancePesewas: 0 })),
      callsPerMinute === null
        ? button(`Allow ${USUAL_CALLS_PER_MINUTE} calls a minute`, set({ callsPerMinute: USUAL_CALLS_PER_MINUTE }))
        : button('Allow any number of calls', set({ callsPerMinute: null })),
      deliversAfterMs === null
        ? button('Deliver by itself', set({ deliversAfterMs: USUAL_DELIVERY_MS }))
        : button('Deliver when I say so', set({ deliversAfterMs: null })),
      refusesDuplicates
        ? button('Deliver used references again', set({ refusesDuplicates: false }))
        : button('Refuse used references', set({ refusesDuplicates: true })),
    ]),
  ]
}

/** @param {{ credit: number }} settings */
function smsCard({ credit }) {
  const set = (/** @type {number} */ next) => () => call('PATCH', '/api/sandbox/sms/settings', { credit: next })
  return [
    make('div', 'row', [make('h3', '', ['Arkesel and mNotify']), make('span', 'money', [`${credit.toLocaleString('en-GB')} SMS left`])]),
    make('div', 'actions', [credit === 0 ? button('Buy SMS', set(FULL_CREDIT)) : button('Use up the SMS', set(0))]),
  ]
}

/** @param {number} volumeMb */
function formatVolume(volumeMb) {
  return volumeMb % 1000 === 0 ? `${volumeMb / 1000} GB` : `${volumeMb} MB`
}

/** @param {Payment} payment */
function paymentCard(payment) {
  const { reference, status } = payment
  const charged =
    payment.amountPesewas === payment.requestedAmountPesewas
      ? []
      : [make('p', 'small', [`${formatPesewas(payment.requestedAmountPesewas, payment.currency)} was asked for.`])]
  const act = `/api/sandbox/card/payments/${encodeURIComponent(reference)}`
  /** @type {HTMLElement[]} */
  const actions = []
  if (status === 'success') {
    actions.push(
      button('Send the webhook again', () => call('POST', `${act}/webhook`)),
      button('Reverse', () => call('POST', `${act}/status`, { status: 'reversed' })),
      make('details', 'small', [
        make('summary', '', ['Disputes and refunds']),
        make('div', 'actions', [
          button('Dispute it', () => call('POST', `${act}/dispute`, { step: 'create' })),
          button('Remind of the dispute', () => call('POST', `${act}/dispute`, { step: 'remind' })),
          button('Payer wins the dispute', () => call('POST', `${act}/dispute`, { step: 'resolve', resolution: 'auto-accepted' })),
          button('Shop wins the dispute', () => call('POST', `${act}/dispute`, { step: 'resolve', resolution: 'declined' })),
          button('Refund: pending', () => call('POST', `${act}/refund`, { step: 'pending' })),
          button('Refund: paid out', () => call('POST', `${act}/refund`, { step: 'processed' })),
          button('Refund: failed', () => call('POST', `${act}/refund`, { step: 'failed' })),
        ]),
      ]),
    )
  } else if (status !== 'reversed') {
    actions.push(
      button('Mark as paid', () => call('POST', `${act}/pay`)),
      button('Mark as paid, lose the webhook', async () => {
        await call('POST', '/api/sandbox/card/faults', { call: 'webhook', kind: 'lose', reference })
        await call('POST', `${act}/pay`)
      }),
      button('Mark as failed', () => call('POST', `${act}/decline`, {})),
      button('Mark as in progress', () => call('POST', `${act}/status`, { status: 'ongoing' })),
    )
  }
  return [
    make('div', 'row', [
      make('span', 'money', [formatPesewas(payment.amountPesewas, payment.currency)]),
      make('span', `badge ${badgeOf(status)}`, [status]),
    ]),
    make('div', 'row', [make('span', 'code', [reference]), time(payment.createdAt)]),
    make('p', 'small muted', [`${payment.email} · ${payment.gatewayResponse}`]),
    ...charged,
    ...(payment.paysAt ? [make('p', 'small', ['It will be paid at ', time(payment.paysAt), '.'])] : []),
    ...payment.webhookEvents.map(webhookLine),
    make('div', 'actions', actions),
  ]
}

/** @param {WebhookEvent} event */
function webhookLine({ state: stands, attempts, lastResult, dueAt }) {
  const said = lastResult ? ` (${lastResult})` : ''
  const next = dueAt ? [', next try at ', time(dueAt)] : []
  return make('p', 'small', [`Webhook: ${stands}, ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}${said}`, ...next])
}

/** @param {{ service: Service, fault: Fault }} waiting */
function faultCard({ service, fault }) {
  const { call: spoilt, kind, reference, phone, to, times, ...details } = fault
  const name = nameFault(service, fault)
  const where = reference ?? phone ?? to ?? 'whichever comes next'
  return [
    make('h3', '', [name ?? `${SERVICES[service].name}: ${spoilt ? `${spoilt}, ` : ''}${kind}`]),
    make('p', 'small muted', [`${times === 1 ? 'Once' : `${times} times`}, for ${where}`]),
    ...(name === null && Object.keys(details).length > 0 ? [make('p', 'code', [JSON.stringify(details)])] : []),
  ]
}

/** @param {Call} one */
function callLine({ service, at, method, url, status }) {
  const answer =
    status === null
      ? make('span', 'badge pending', ['no answer'])
      : make('span', `badge ${status < 400 ? 'done' : 'danger'}`, [String(status)])
  return [
    make('div', 'row', [make('span', 'small', [SERVICES[service].name]), make('span', 'row', [answer, time(at)])]),
    make('p', 'code', [`${method} ${url}`]),
  ]
}

async function addChosenFault() {
  const chosen = FAULTS[Number(faultChoice.value)]
  if (!chosen) return
  const { service, fault } = chosen
  const aim = aimAt(service, faultReference.value.trim())
  await change(() => call('POST', `${SERVICES[service].address}/faults`, { ...fault, ...aim }))
}

/** @param {() => Promise<unknown>} work */
async function change(work) {
  try {
    await work()
    await load()
  } catch (error) {
    complain(sayWhy(error))
  }
}

/**
 * @param {State | null} before
 * @param {State} now
 */
function announceNews(before, now) {
  if (!before || before.messages[0]?.at === now.messages[0]?.at) return
  const newest = now.messages[0]
  if (newest) byId('status', HTMLElement).textContent = `New: ${newest.subject ?? newest.body.slice(0, 60)}`
}

/** @param {string | null} message */
function complain(message) {
  const problem = byId('problem', HTMLElement)
  problem.hidden = message === null
  if (problem.textContent !== (message ?? '')) problem.textContent = message
}

/**
 * @param {string} label
 * @param {() => Promise<unknown>} work
 */
function button(label, work) {
  const made = document.createElement('button')
  made.type = 'button'
  made.className = 'button'
  made.textContent = label
  made.addEventListener('click', () => {
    made.disabled = true
    void change(work).finally(() => {
      made.disabled = false
    })
  })
  return made
}

/** @param {string} status */
function badgeOf(status) {
  if (status === 'success' || status === 'delivered') return 'done'
  return ['failed', 'reversed', 'cancelled', 'refunded'].includes(status) ? 'danger' : 'pending'
}

/** @param {unknown} error */
function sayWhy(error) {
  if (error instanceof TypeError || error instanceof SyntaxError) return 'The shop does not answer. It is asked again in a moment.'
  return error instanceof Error ? error.message : String(error)
}
