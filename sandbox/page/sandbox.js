// @ts-check
import { formatPesewas } from './money.js'

/**
 * @typedef {{ channel: 'email' | 'sms', to: string, subject?: string, body: string, at: string }} Message
 * @typedef {{ id: string, state: string, tries: number, lastResult: string | null, dueAt: string | null }} Notice
 * @typedef {{ reference: string, email: string, amountPesewas: number, requestedAmountPesewas: number, currency: string, status: string,
 *   gatewayResponse: string, createdAt: string, paidAt: string | null, paysAt: string | null, notices: Notice[] }} Payment
 * @typedef {{ at: string, method: string, url: string, status: number | null }} Call
 * @typedef {{ call?: string, kind: string, reference?: string, to?: string, times: number } & Record<string, unknown>} Fault
 * @typedef {{ messages: Message[], payments: Payment[], calls: Call[], faults: { card: Fault[], mail: Fault[] } }} State
 */

const REFRESH_MS = 3_000
const REFRESH_AFTER_FAILURE_MS = 15_000
const SHOWN_AT_FIRST = 5

/** @type {{ label: string, service: 'card' | 'mail', fault: Record<string, unknown> }[]} */
const FAULTS = [
  { label: 'The notice of a payment is lost', service: 'card', fault: { call: 'webhook', kind: 'lose' } },
  { label: 'The notice comes 30 seconds late', service: 'card', fault: { call: 'webhook', kind: 'delay', delayMs: 30_000 } },
  { label: 'The notice comes five times at once', service: 'card', fault: { call: 'webhook', kind: 'repeat', count: 5 } },
  { label: 'Someone forges the notice', service: 'card', fault: { call: 'webhook', kind: 'bad-signature' } },
  { label: 'The notice holds nonsense', service: 'card', fault: { call: 'webhook', kind: 'body', body: [] } },
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
  { label: 'An e-mail is refused', service: 'mail', fault: { kind: 'refuse' } },
  { label: 'An e-mail gets no answer', service: 'mail', fault: { kind: 'hang' } },
  { label: 'The connection breaks during an e-mail', service: 'mail', fault: { kind: 'drop' } },
]

/**
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} kind
 * @returns {T}
 */
function byId(id, kind) {
  const found = document.getElementById(id)
  if (!(found instanceof kind)) throw new Error(`The page has no ${id}`)
  return found
}

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

faultChoice.append(...FAULTS.map(({ label }, index) => new Option(label, String(index))))
byId('fault-form', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault()
  void addChosenFault()
})
clearFaults.addEventListener('click', () => {
  void change(async () => {
    await call('DELETE', '/api/sandbox/card/faults')
    await call('DELETE', '/api/sandbox/mail/faults')
  })
})
for (const choice of document.querySelectorAll('input[name=channel]')) {
  choice.addEventListener('change', () => {
    if (choice instanceof HTMLInputElement) channel = choice.value
    if (state) present(state)
  })
}
for (const name of ['messages', 'payments', 'calls']) {
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

/** Asks only while someone looks, and seldom while the shop does not answer. */
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
  const faults = [
    ...next.faults.card.map((fault) => ({ ...fault, service: 'card' })),
    ...next.faults.mail.map((fault) => ({ ...fault, service: 'mail' })),
  ]
  const messages = next.messages.filter((message) => channel === 'all' || message.channel === channel)
  fill(
    'message-list',
    'no-messages',
    newest('messages', messages),
    (message) => `${message.at} ${message.to} ${message.subject}`,
    messageCard,
  )
  fill('payment-list', 'no-payments', newest('payments', next.payments), (payment) => payment.reference, paymentCard)
  fill('fault-list', 'no-faults', faults, (_, index) => String(index), faultCard)
  fill('call-list', 'no-calls', newest('calls', next.calls), (one) => `${one.at} ${one.url}`, callLine)
  clearFaults.hidden = faults.length === 0
}

/**
 * The first few, with a button for the rest, so that a long list does not bury the next one.
 * @template T
 * @param {'messages' | 'payments' | 'calls'} name
 * @param {T[]} items
 */
function newest(name, items) {
  const rest = byId(`all-${name}`, HTMLButtonElement)
  const whole = shownWhole.has(name) || items.length <= SHOWN_AT_FIRST
  rest.hidden = whole
  rest.textContent = `Show all ${items.length} ${name}`
  return whole ? items : items.slice(0, SHOWN_AT_FIRST)
}

/**
 * Draws only what has changed, so that nothing that someone reads or is about to press moves under them.
 * @template T
 * @param {string} listId
 * @param {string} emptyId
 * @param {T[]} items
 * @param {(item: T, index: number) => string} keyOf
 * @param {(item: T) => Node[]} draw
 */
function fill(listId, emptyId, items, keyOf, draw) {
  const list = byId(listId, HTMLUListElement)
  byId(emptyId, HTMLElement).hidden = items.length > 0
  /** @type {Map<string, HTMLLIElement[]>} */
  const drawn = new Map()
  for (const line of list.children) {
    if (line instanceof HTMLLIElement) drawn.set(line.dataset.key ?? '', [...(drawn.get(line.dataset.key ?? '') ?? []), line])
  }
  const lines = items.map((item, index) => {
    const key = keyOf(item, index)
    const content = JSON.stringify(item)
    const line = drawn.get(key)?.shift() ?? document.createElement('li')
    if (line.dataset.content === content) return line
    const pressed = line.contains(document.activeElement) ? document.activeElement?.textContent : null
    line.dataset.key = key
    line.dataset.content = content
    line.replaceChildren(...draw(item))
    if (pressed) [...line.querySelectorAll('button')].find((button) => button.textContent === pressed)?.focus()
    return line
  })
  for (const gone of [...drawn.values()].flat()) gone.remove()
  lines.forEach((line, index) => {
    if (list.children[index] !== line) list.insertBefore(line, list.children[index] ?? null)
  })
}

/** @param {Message} message */
function messageCard({ channel: by, to, subject, body, at }) {
  return [
    make('div', 'row', [make('span', 'badge', [by === 'email' ? 'E-mail' : 'SMS']), time(at)]),
    make('h3', '', [subject ?? to]),
    ...(subject === undefined ? [] : [make('p', 'small muted', [`to ${to}`])]),
    make('p', 'body', withLinks(body)),
  ]
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
      button('Send the notice again', () => call('POST', `${act}/notice`)),
      button('Reverse', () => call('POST', `${act}/status`, { status: 'reversed' })),
    )
  } else if (status !== 'reversed') {
    actions.push(
      button('Mark as paid', () => call('POST', `${act}/pay`)),
      button('Mark as paid, lose the notice', async () => {
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
    ...payment.notices.map(noticeLine),
    make('div', 'actions', actions),
  ]
}

/** @param {Notice} notice */
function noticeLine({ state: stands, tries, lastResult, dueAt }) {
  const said = lastResult ? ` (${lastResult})` : ''
  const next = dueAt ? [', next try at ', time(dueAt)] : []
  return make('p', 'small', [`Notice: ${stands}, ${tries} ${tries === 1 ? 'try' : 'tries'}${said}`, ...next])
}

/** @param {Fault & { service: string }} fault */
function faultCard({ service, call: spoilt, kind, reference, to, times, ...details }) {
  const what = FAULTS.find((one) => one.service === service && one.fault.call === spoilt && one.fault.kind === kind)
  const title = kind === 'data' || kind === 'reply' || !what ? `${spoilt ?? 'mail'}: ${kind}` : what.label
  const where = reference ?? to
  return [
    make('h3', '', [title]),
    make('p', 'small muted', [`${times === 1 ? 'Once' : `${times} times`}, for ${where ?? 'whichever comes next'}`]),
    ...(Object.keys(details).length > 0 ? [make('p', 'code', [JSON.stringify(details)])] : []),
  ]
}

/** @param {Call} one */
function callLine({ at, method, url, status }) {
  const answer =
    status === null
      ? make('span', 'badge pending', ['no answer'])
      : make('span', `badge ${status < 400 ? 'done' : 'danger'}`, [String(status)])
  return [make('div', 'row', [make('span', 'code', [`${method} ${url}`]), make('span', 'row', [answer, time(at)])])]
}

async function addChosenFault() {
  const chosen = FAULTS[Number(faultChoice.value)]
  if (!chosen) return
  const only = faultReference.value.trim()
  const target = only === '' ? {} : chosen.service === 'card' ? { reference: only } : { to: only }
  await change(() => call('POST', `/api/sandbox/${chosen.service}/faults`, { ...chosen.fault, ...target }))
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

/**
 * @param {string} tag
 * @param {string} className
 * @param {(string | Node)[]} content
 */
function make(tag, className, content) {
  const made = document.createElement(tag)
  if (className) made.className = className
  made.append(...content)
  return made
}

/** @param {string} iso */
function time(iso) {
  const made = document.createElement('time')
  made.dateTime = iso
  made.className = 'small muted'
  made.textContent = new Date(iso).toLocaleString('en-GB', {
    timeZone: 'UTC',
    day: '2-digit',
    month: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  return made
}

/** @param {string} status */
function badgeOf(status) {
  if (status === 'success') return 'done'
  return status === 'failed' || status === 'reversed' ? 'danger' : 'pending'
}

/** @param {string} text */
function withLinks(text) {
  return text.split(/(https?:\/\/[^\s<>"]+)/).map((part, index) => {
    if (index % 2 === 0) return part
    const link = document.createElement('a')
    link.href = part
    link.rel = 'noreferrer'
    link.textContent = part
    return link
  })
}

/**
 * @param {'GET' | 'POST' | 'DELETE'} method
 * @param {string} address
 * @param {object} [body]
 */
async function call(method, address, body) {
  const response = await fetch(address, {
    method,
    ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
  })
  const reply = await response.json()
  if (!response.ok) throw new Error(reply.message)
  return reply
}

/** @param {unknown} error */
function sayWhy(error) {
  if (error instanceof TypeError || error instanceof SyntaxError) return 'The shop does not answer. It is asked again in a moment.'
  return error instanceof Error ? error.message : String(error)
}
