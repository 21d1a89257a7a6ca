/**
 * AbortController for Chrome before 66, as much of it as our fetches and TanStack Query use. A fetch or the reading of its reply rejects at
 * once when it is given up; the browser goes on with what nobody waits for.
 */
export function bringAbort() {
  Object.assign(window, { AbortController: Controller, AbortSignal: Signal })
  const send = window.fetch
  window.fetch = async (input, { signal, ...init } = {}) => {
    if (!signal) return send(input, init)
    const response = await orGivenUp(signal, () => send(input, init))
    for (const read of ['arrayBuffer', 'blob', 'json', 'text'] as const) {
      Object.assign(response, { [read]: () => orGivenUp(signal, () => Response.prototype[read].call(response)) })
    }
    return response
  }
}

function orGivenUp<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const giveUp = () => reject(signal.reason)
    if (signal.aborted) return giveUp()
    signal.addEventListener('abort', giveUp)
    work()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', giveUp))
  })
}

class Signal {
  aborted = false
  reason: unknown
  // Chrome 64 makes no EventTarget by itself.
  readonly target = document.createDocumentFragment()

  addEventListener(...listener: Parameters<EventTarget['addEventListener']>) {
    this.target.addEventListener(...listener)
  }

  removeEventListener(...listener: Parameters<EventTarget['removeEventListener']>) {
    this.target.removeEventListener(...listener)
  }
}

class Controller {
  readonly signal = new Signal()

  abort(reason: unknown = new DOMException('The operation was aborted.', 'AbortError')) {
    const { signal } = this
    if (signal.aborted) return
    signal.aborted = true
    signal.reason = reason
    signal.target.dispatchEvent(new Event('abort'))
  }
}
