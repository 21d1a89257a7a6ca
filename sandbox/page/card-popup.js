// @ts-check
import { formatPesewas } from './money.js'

/**
 * Plays the provider's pop-up in an iframe. The page that opened it sends `{ type: 'inline:url', path: 'newTransaction',
 * params: { accessCode } }`, 'render' and 'close'; it is told `{ event, data }`.
 *
 * @typedef {{ id: number, accessCode: string, reference: string, email: string, amountPesewas: number, currency: string,
 *   channels: string[], status: string, message: string, payingMobileNumber: string, customer: object, success: object | null }} Transaction
 */

/**
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} kind
 * @returns {T}
 */
function element(id, kind) {
  const found = document.getElementById(id)
  if (!(found instanceof kind)) throw new Error(`The page has no ${id}`)
  return found
}

const sheet = element('sheet', HTMLElement)
const heading = element('heading', HTMLElement)
const problem = element('problem', HTMLElement)
const working = element('working', HTMLElement)
const details = element('details', HTMLElement)
const choices = element('choices', HTMLElement)
const phoneForm = element('phone-form', HTMLFormElement)
const phone = element('phone', HTMLInputElement)
const laterForm = element('later-form', HTMLFormElement)
const later = element('later', HTMLSelectElement)

const embedded = window.parent !== window
/** The origin of the page that opened this one; unknown until its first message, and nothing private is sent before. */
let parentOrigin = '*'
/** @type {string | null} */
let openedWith = null
/** @type {Transaction | null} */
let transaction = null

window.addEventListener('message', (event) => {
  if (!embedded || event.source !== window.parent) return
  parentOrigin = event.origin === 'null' ? '*' : event.origin
  // A phone of 2018 opens this page too, and its browser knows no `?.`.
  const { type, path, params = {} } = Object(event.data)
  if (event.data === 'render') show()
  else if (event.data === 'close') reset()
  else if (type === 'inline:url' && path === 'newTransaction') void open(params.accessCode)
})

element('pay', HTMLButtonElement).addEventListener('click', () => {
  void act('pay', {}, finish)
})
element('vanish', HTMLButtonElement).addEventListener('click', () => {
  void act('pay', {}, leave)
})
element('decline', HTMLButtonElement).addEventListener('click', () => {
  void act('decline', {}, finish)
})
element('cancel', HTMLButtonElement).addEventListener('click', leave)
phoneForm.addEventListener('submit', (event) => {
  event.preventDefault()
  void act('pay-by-phone', { mobileNumber: phone.value.trim() }, finish)
})
laterForm.addEventListener('submit', (event) => {
  event.preventDefault()
  void act('pay-later', { afterMs: Number(later.value) * 1000 }, leave)
})
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && !sheet.hidden) leave()
})

tell('loaded:checkout', {})
if (!embedded) {
  show()
  void open(new URLSearchParams(location.search).get('access_code'))
}

/** @param {unknown} accessCode */
async function open(accessCode) {
  // The page says it again once it hears that the checkout has loaded.
  if (accessCode === openedWith && openedWith !== null) return
  reset()
  if (typeof accessCode !== 'string' || accessCode === '') return refuse('An access code is needed to open a payment.')
  openedWith = accessCode
  try {
    const found = await call('GET', accessCode, '')
    if (openedWith !== accessCode) return
    if (found.status === 'success') return refuse('This payment was already made.')
    transaction = found
    present(found)
    tell('loaded:transaction', { id: found.id, customer: found.customer, accessCode })
    show()
  } catch (error) {
    if (openedWith === accessCode) refuse(sayWhy(error))
  }
}

/**
 * @param {string} what
 * @param {object} body
 * @param {(now: Transaction) => void} then
 */
async function act(what, body, then) {
  const subject = transaction
  if (!subject || working.hidden === false) return
  setBusy(true)
  say(null)
  try {
    const now = await call('POST', subject.accessCode, `/${what}`, body)
    if (transaction === subject) then(now)
  } catch (error) {
    say(sayWhy(error))
  } finally {
    setBusy(false)
  }
}

/** @param {Transaction} now */
function finish(now) {
  if (!now.success) return say(`${now.message} You can try again.`)
  tell('success', now.success)
  if (embedded) return reset()
  choices.hidden = true
  heading.textContent = 'Paid'
  heading.focus()
}

/** Closes the window and tells the page only that. */
function leave() {
  reset()
  tell('close', { status: 'abandoned' })
  if (embedded) return
  heading.textContent = 'Closed'
  show()
}

/** @param {string} message */
function refuse(message) {
  openedWith = null
  heading.textContent = 'This payment cannot be opened'
  say(message)
  show()
  tell('error', { type: 'setup', message })
}

/** @param {Transaction} now */
function present(now) {
  const amount = formatPesewas(now.amountPesewas, now.currency)
  heading.textContent = `Pay ${amount}`
  element('email', HTMLElement).textContent = now.email
  element('reference', HTMLElement).textContent = now.reference
  const pay = element('pay', HTMLButtonElement)
  pay.textContent = `Pay ${amount} by card`
  pay.hidden = !now.channels.includes('card')
  phoneForm.hidden = !now.channels.includes('mobile_money')
  element('phone-hint', HTMLElement).textContent = `${now.payingMobileNumber} pays; any other number is refused.`
  details.hidden = false
  choices.hidden = false
}

function reset() {
  openedWith = null
  transaction = null
  sheet.hidden = true
  heading.textContent = 'One moment…'
  details.hidden = true
  choices.hidden = true
  phoneForm.reset()
  laterForm.reset()
  say(null)
}

function show() {
  if (!sheet.hidden) return
  sheet.hidden = false
  heading.focus()
}

/** @param {boolean} busy */
function setBusy(busy) {
  working.hidden = !busy
  working.textContent = busy ? 'One moment…' : ''
  for (const button of sheet.querySelectorAll('button')) button.disabled = busy
}

/** @param {string | null} message */
function say(message) {
  problem.hidden = message === null
  problem.textContent = message
}

/**
 * @param {string} event
 * @param {object} data
 */
function tell(event, data) {
  if (embedded) window.parent.postMessage({ event, data }, parentOrigin)
}

/**
 * @param {'GET' | 'POST'} method
 * @param {string} accessCode
 * @param {string} what
 * @param {object} [body]
 * @returns {Promise<Transaction>}
 */
async function call(method, accessCode, what, body) {
  const response = await fetch(`/sandbox/card/transactions/${encodeURIComponent(accessCode)}${what}`, {
    method,
    ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
  })
  const reply = await response.json()
  if (!response.ok) throw new Error(reply.message)
  return reply
}

/** @param {unknown} error */
function sayWhy(error) {
  if (error instanceof TypeError) return 'The shop does not answer. Check your connection and try again.'
  return error instanceof Error ? error.message : String(error)
}
