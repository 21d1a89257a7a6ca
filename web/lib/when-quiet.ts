import { session } from './session.ts'

const LONGEST_MS = 30_000
const LOOK_EVERY_MS = 50
const RECENT = 8
/** What is still on its way is not in the browser's list; on a slow line it may take longer than what came before. */
const SHARE = 3

/** Loads what nobody has asked for yet, once the line has nothing else to bring; never with the data saver on. */
export async function loadAhead(load: () => Promise<unknown>): Promise<void> {
  if (savesData()) return
  await whenQuiet()
  await load().catch(() => undefined)
}

/** Whether pages and code are kept on this device for the next visit, which costs some 30 KB now. */
export function keepsPages(): boolean {
  return !savesData() || session.get() !== null
}

/** The visitor pays for each megabyte and has told their browser so. Safari and Firefox never say. */
function savesData(): boolean {
  return (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true
}

/**
 * The line is quiet when nothing has come for three times as long as the last things took: on a quick one at once, on a slow one after seconds.
 * Waits half a minute at most.
 */
export async function whenQuiet(): Promise<void> {
  const latest = performance.now() + LONGEST_MS
  for (;;) {
    const recent = performance.getEntriesByType('resource').slice(-RECENT) as PerformanceResourceTiming[]
    const quietAt = Math.max(0, ...recent.map(({ responseEnd, duration }) => responseEnd + SHARE * duration))
    const leftMs = Math.min(quietAt, latest) - performance.now()
    if (leftMs <= 0) return
    await new Promise((resolve) => setTimeout(resolve, leftMs + LOOK_EVERY_MS))
  }
}
