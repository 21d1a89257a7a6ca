const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 15_000

/**
 * Fetches code without which the page can begin, however often that takes, and hands it to `use` once. Tries at once when
 * the browser is back on the line. Replies how to give it up.
 */
export function fetchLater<Code>(load: () => Promise<Code>, use: (code: Code) => void): () => void {
  let pauseMs = FIRST_PAUSE_MS
  let timer: ReturnType<typeof setTimeout> | undefined
  let over = false
  function giveUp() {
    over = true
    clearTimeout(timer)
    removeEventListener('online', tryNow)
  }
  function tryNow() {
    clearTimeout(timer)
    load().then(
      (code) => {
        if (over) return
        giveUp()
        use(code)
      },
      () => {
        if (!over) timer = setTimeout(tryNow, pauseMs)
        pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)
      },
    )
  }
  addEventListener('online', tryNow)
  tryNow()
  return giveUp
}
