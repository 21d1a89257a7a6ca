import { holdBack } from '../../../lib/dialog-history.ts'
import { type CardPopup, type PopupOutcome, popupMessage } from './card-popup.ts'

const ADDRESS = '/sandbox/card/popup'
const LOAD_TIMEOUT_MS = 15_000

/** The simulator's pop-up, spoken to as the provider's library speaks to the real one, whose address is compiled in. */
export function sandboxPopup(): CardPopup {
  return { open: (accessCode) => new Promise((resolve) => showFrame(accessCode, resolve)) }
}

function showFrame(accessCode: string, resolve: (outcome: PopupOutcome) => void): void {
  const dialog = document.createElement('dialog')
  dialog.className = 'card-frame'
  dialog.setAttribute('aria-label', 'Card payment')
  const frame = document.createElement('iframe')
  frame.title = 'Card payment'
  frame.src = ADDRESS
  dialog.append(frame)

  const finish = (outcome: PopupOutcome) => {
    clearTimeout(loading)
    release()
    window.removeEventListener('message', onMessage)
    dialog.close()
    dialog.remove()
    resolve(outcome)
  }
  const send = (message: unknown) => frame.contentWindow?.postMessage(message, window.location.origin)
  const begin = () => {
    send({ type: 'inline:url', path: 'newTransaction', params: { accessCode } })
    send('render')
  }
  const onMessage = (message: MessageEvent<unknown>) => {
    if (message.source !== frame.contentWindow) return
    const { event, data } = readMessage(message.data)
    switch (event) {
      case 'loaded:checkout':
        begin()
        break
      case 'loaded:transaction':
        clearTimeout(loading)
        break
      case 'success':
        finish({ result: 'success' })
        break
      case 'close':
      case 'cancel':
        finish({ result: 'cancelled' })
        break
      case 'error':
        finish({ result: 'failed', message: popupMessage(data) })
        break
      default:
        break
    }
  }
  const loading = setTimeout(() => finish({ result: 'failed', message: popupMessage(undefined) }), LOAD_TIMEOUT_MS)

  window.addEventListener('message', onMessage)
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault()
    finish({ result: 'cancelled' })
  })
  document.body.append(dialog)
  dialog.showModal()
  const release = holdBack(() => finish({ result: 'cancelled' }))
}

function readMessage(message: unknown): { event?: string; data?: unknown } {
  return typeof message === 'object' && message !== null ? message : {}
}
