// @ts-check
import { byId, call, make, time } from './dom.js'

/**
 * @typedef {{ id: string, title: string, description?: string }} Option
 * @typedef {{ id: string, from: 'customer' | 'shop', body: string, button: string | null, options: Option[], template: string | null,
 *   at: string, status: string | null, result: string | null }} Bubble
 */

const ADDRESS = '/api/sandbox/whatsapp'
const REFRESH_MS = 1_000
const PHONE_KEY = 'sandbox-whatsapp-phone'

const phone = byId('phone', HTMLInputElement)
const text = byId('text', HTMLInputElement)
const chat = byId('chat', HTMLOListElement)
const problem = byId('problem', HTMLElement)
let shown = ''

phone.value = sessionStorage.getItem(PHONE_KEY) ?? '0241234567'
phone.addEventListener('change', () => {
  sessionStorage.setItem(PHONE_KEY, phone.value)
  void load()
})
byId('phone-form', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault()
  void load()
})
byId('say-form', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault()
  const typed = text.value
  text.value = ''
  if (typed.trim() !== '') void act(() => call('POST', `${ADDRESS}/say`, { phone: phone.value, text: typed }))
})
setInterval(() => void load(), REFRESH_MS)
void load()

async function load() {
  if (document.hidden || !/^0[25]\d{8}$/.test(phone.value)) return
  try {
    /** @type {Bubble[]} */
    const bubbles = (await call('GET', `${ADDRESS}/chat?phone=${phone.value}`)).reverse()
    complain(null)
    draw(bubbles)
    if (bubbles.some(({ from, status }) => from === 'shop' && status === 'delivered'))
      await call('POST', `${ADDRESS}/read`, { phone: phone.value })
  } catch (error) {
    complain(error instanceof Error ? error.message : String(error))
  }
}

/** @param {Bubble[]} bubbles */
function draw(bubbles) {
  const content = JSON.stringify(bubbles)
  if (content === shown) return
  shown = content
  byId('no-chat', HTMLElement).hidden = bubbles.length > 0
  chat.replaceChildren(...bubbles.map(drawBubble))
  chat.scrollTop = chat.scrollHeight
}

/** @param {Bubble} bubble */
function drawBubble({ id, from, body, button, options, template, at, status, result }) {
  const mine = from === 'customer'
  const state = mine
    ? result === null
      ? 'on its way'
      : `the shop answered ${result}`
    : `${template ? `template ${template}, ` : ''}${status}`
  const line = make('li', mine ? 'mine' : '', [make('p', '', [body])])
  if (options.length > 0) {
    const rows = options.map((option) =>
      press(option.description ? `${option.title} · ${option.description}` : option.title, () =>
        call('POST', `${ADDRESS}/say`, { phone: phone.value, text: option.title, option: option.id }),
      ),
    )
    line.append(make('details', 'small', [make('summary', '', [button ?? 'Choose']), make('div', 'rows', rows)]))
  }
  line.append(make('p', 'small muted', [time(at), ` · ${state}`]))
  if (mine) line.append(press('Send the same webhook again', () => call('POST', `${ADDRESS}/repeat`, { id })))
  return line
}

/**
 * @param {string} label
 * @param {() => Promise<unknown>} work
 */
function press(label, work) {
  const made = document.createElement('button')
  made.type = 'button'
  made.className = 'button'
  made.textContent = label
  made.addEventListener('click', () => void act(work))
  return made
}

/** @param {() => Promise<unknown>} work */
async function act(work) {
  try {
    const working = work()
    setTimeout(() => void load(), 50)
    await working
    await load()
  } catch (error) {
    complain(error instanceof Error ? error.message : String(error))
  }
}

/** @param {string | null} message */
function complain(message) {
  problem.hidden = message === null
  problem.textContent = message
}
