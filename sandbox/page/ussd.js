// @ts-check
import { byId, call } from './dom.js'

/** @typedef {{ session: string | null, message: string }} PhoneScreen */

const phone = byId('ussd-phone', HTMLInputElement)
const gateway = byId('ussd-gateway', HTMLSelectElement)
const fault = byId('ussd-fault', HTMLSelectElement)
const screen = byId('ussd-screen', HTMLPreElement)
const answer = byId('ussd-answer', HTMLDivElement)
const text = byId('ussd-text', HTMLInputElement)
const send = byId('ussd-send', HTMLButtonElement)
const timeOut = byId('ussd-time-out', HTMLButtonElement)

/** @type {string | null} */
let session = null

/** @param {PhoneScreen} shown */
function show(shown) {
  session = shown.session
  screen.textContent = shown.message
  text.value = ''
  answer.hidden = session === null
  timeOut.hidden = session === null
  phone.readOnly = session !== null
  gateway.disabled = session !== null
  send.textContent = session === null ? 'Dial *928#' : 'Send'
  if (session !== null) text.focus()
}

/** @param {() => Promise<PhoneScreen>} ask */
async function does(ask) {
  send.disabled = true
  timeOut.disabled = true
  try {
    show(await ask())
  } catch (error) {
    screen.textContent = error instanceof Error ? error.message : String(error)
  } finally {
    send.disabled = false
    timeOut.disabled = false
    fault.value = ''
  }
}

function wantedFault() {
  if (fault.value === 'late') return { fault: { kind: 'late', delayMs: 5_000 } }
  return fault.value === '' ? {} : { fault: { kind: fault.value } }
}

byId('ussd-form', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault()
  void does(() =>
    session === null
      ? call('POST', '/api/sandbox/ussd/dial', { phone: phone.value.trim(), ...wantedFault() })
      : call('POST', '/api/sandbox/ussd/type', { session, text: text.value, ...wantedFault() }),
  )
})
timeOut.addEventListener('click', () => void does(() => call('POST', '/api/sandbox/ussd/time-out', { session })))
gateway.addEventListener('change', () => void call('PUT', '/api/sandbox/ussd', { gateway: gateway.value }))

const { gateway: chosen, gateways } = await call('GET', '/api/sandbox/ussd')
gateway.replaceChildren(...gateways.map((/** @type {string} */ name) => new Option(name, name, false, name === chosen)))
