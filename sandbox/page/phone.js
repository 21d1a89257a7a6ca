// @ts-check
import { byId, call, fill, make, time } from './dom.js'

/**
 * @typedef {{ phone: string, key: string, app: string, sender?: string, message: Record<string, string | number>, id: string, clockOffMinutes: number }} Sending
 * @typedef {{ at: string, text: string, sender: string, outcome: string }} Sent
 */

const field = (/** @type {string} */ id) => byId(id, HTMLInputElement)
const kind = byId('kind', HTMLSelectElement)
const again = byId('again', HTMLButtonElement)
const sendWaiting = byId('send-waiting', HTMLButtonElement)
const SECOND_MS = 1_000
const SHOWN = 30

const OUTCOMES = /** @type {Record<string, string>} */ ({
  payment: 'Taken: a payment',
  known: 'Taken: known already',
  'not-counted': 'Taken: not a payment to the shop',
  fake: 'Taken: a fake',
  repeated: 'A repetition: nothing happens',
  ignored: 'Not read: not a network’s name',
  heartbeat: 'Taken: only a sign of life',
})

/** @type {Sending[]} */
const waiting = []
/** @type {Sent[]} */
let sent = []
/** @type {Sending | null} */
let last = null
let lastPaymentId = '1'
// The networks' ids have eleven digits; a new page must not repeat those of the one before.
let id = 60_000_000_000 + (Date.now() % 10_000_000_000)

const KEPT = ['address', 'key', 'balance']
for (const one of KEPT) field(one).value = sessionStorage.getItem(`phone-${one}`) ?? field(one).value

kind.addEventListener('change', () => {
  byId('text-field', HTMLElement).hidden = kind.value !== 'text'
})
byId('phone-form', HTMLFormElement).addEventListener('change', keep)
byId('message-form', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault()
  void attempt(() => arrive(write()))
})
again.addEventListener('click', () => {
  if (last) void attempt(() => arrive(/** @type {Sending} */ (last)))
})
field('offline').addEventListener('change', draw)
sendWaiting.addEventListener('click', () => {
  void attempt(async () => {
    field('offline').checked = false
    const order = waiting.splice(0)
    if (field('shuffled').checked) order.reverse()
    for (const one of order) await send(one)
  })
})

function keep() {
  for (const one of KEPT) sessionStorage.setItem(`phone-${one}`, field(one).value)
}

/** @param {string} id */
function pesewasOf(id) {
  const pesewas = Math.round(Number(field(id).value.replaceAll(',', '')) * 100)
  if (!Number.isFinite(pesewas) || pesewas < 0) throw new Error(`${field(id).labels?.[0]?.textContent}: that is no amount.`)
  return pesewas
}

/** @returns {Sending} */
function write() {
  const phone = /forwarder\/([0-9a-f-]{36})/.exec(field('address').value)?.[1]
  if (!phone) throw new Error('Copy the phone’s address from the Admin Portal.')
  if (!field('key').value.trim()) throw new Error('Copy the phone’s key from the Admin Portal.')
  const amountPesewas = pesewasOf('amount')
  const before = pesewasOf('balance')
  const wanted = kind.value
  const comesIn = wanted === 'received' || wanted === 'reworded'
  if (wanted === 'withdrawn' && amountPesewas > before) throw new Error('The wallet does not hold so much.')
  const isForged = wanted === 'forged' || wanted === 'person'
  const after = comesIn ? before + amountPesewas : wanted === 'withdrawn' ? before - amountPesewas : before
  const transactionId = wanted === 'reversal' ? lastPaymentId : String(++id)
  if (comesIn) lastPaymentId = transactionId
  field('balance').value = (after / 100).toFixed(2)
  keep()
  return {
    phone,
    key: field('key').value.trim(),
    app: byId('app', HTMLSelectElement).value,
    ...(wanted === 'person' && { sender: '+233551234567' }),
    message: {
      network: byId('network', HTMLSelectElement).value,
      kind: isForged ? 'received' : wanted,
      amountPesewas,
      balancePesewas: isForged ? amountPesewas + 1_234_56 : after,
      transactionId,
      reference: field('reference').value,
      payer: field('payer').value,
      text: byId('text', HTMLTextAreaElement).value,
    },
    id: crypto.randomUUID(),
    clockOffMinutes: Math.round(Number(field('clock').value)) || 0,
  }
}

/** @param {Sending} sending */
async function arrive(sending) {
  last = sending
  if (field('offline').checked) waiting.push(sending)
  else await send(sending)
}

/** @param {Sending} sending */
async function send(sending) {
  const lateMs = (Number(field('late').value) || 0) * SECOND_MS
  if (lateMs > 0) await new Promise((done) => setTimeout(done, lateMs))
  const { status, received, message, text, sender } = await call('POST', '/api/sandbox/phone/send', sending)
  const outcome = status === 200 ? (OUTCOMES[received] ?? received) : `Refused (${status}): ${message}`
  sent = [{ at: new Date().toISOString(), text, sender, outcome }, ...sent].slice(0, SHOWN)
}

/** @param {() => Promise<void>} act */
async function attempt(act) {
  const problem = byId('problem', HTMLElement)
  problem.hidden = true
  try {
    await act()
  } catch (error) {
    problem.textContent = error instanceof Error ? error.message : String(error)
    problem.hidden = false
  }
  draw()
}

function draw() {
  again.disabled = last === null
  sendWaiting.hidden = waiting.length === 0
  sendWaiting.textContent = `Online again: send what waits (${waiting.length})`
  fill(
    'sent-list',
    'no-sent',
    sent,
    ({ at, text }) => at + text,
    ({ at, text, sender, outcome }) => [
      make('p', '', [make('b', '', [outcome]), ' ', time(at)]),
      make('p', 'small', [make('span', 'muted', [`${sender}: `]), text]),
    ],
  )
}
