const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 15_000

/** Loads non-critical code, retrying until it is there. Retries at once when the browser is back online. Never rejects. */
export function loadPersistently<Code>(load: () => Promise<Code>): Promise<Code> {
  return new Promise((resolve) => {
    let pauseMs = FIRST_PAUSE_MS
    let timer: ReturnType<typeof setTimeout> | undefined
    function tryNow() {
      clearTimeout(timer)
      load().then(
        (code) => {
          clearTimeout(timer)
          removeEventListener('online', tryNow)
          resolve(code)
        },
        () => {
          clearTimeout(timer)
          timer = setTimeout(tryNow, pauseMs)
          pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)
        },
      )
    }
    addEventListener('online', tryNow)
    tryNow()
  })
}
