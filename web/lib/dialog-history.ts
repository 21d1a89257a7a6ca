import type { AroundNavHandler } from 'wouter'
import { navigate as navigateBrowser } from 'wouter/use-browser-location'

/** A traversal takes milliseconds. One that never arrives must not stop the shop. */
const ARRIVAL_MS = 1000

type Held = { dismiss: () => void }

/**
 * Each open dialog has an entry in the browser's history above the page's, at the same address, so that Back leaves the dialog and not
 * the page. `open` are the dialogs, the topmost last; the state of an entry says how many of them it stands for.
 */
const open: Held[] = []
const waiting: (() => void)[] = []
let arrival: ReturnType<typeof setTimeout> | undefined
let isSettling = false
/** The entry where the history was last, and the highest one that Back has left and Forward would reach. */
let last = 0
let forward = 0
/** The page's address, which may change while a dialog is open. */
let address = ''

if (typeof window !== 'undefined') {
  addEventListener('popstate', () => {
    const now = entries()
    const isSamePage = location.pathname === new URL(address).pathname
    // Also where Forward leads to the entry of a dialog that is closed: its address would open it for a moment.
    const isOver = now < last || (!arrival && now > open.length)
    if (isOver && isSamePage && location.href !== address) history.replaceState(history.state, '', address)
    if (arrival) {
      arrive()
    } else if (now < last && open.length > 0) {
      forward = last
      // Back answers the topmost question. Whoever goes to another page at once has left them all.
      for (const { dismiss } of (isSamePage ? open.slice(-1) : [...open]).reverse()) dismiss()
    }
    last = entries()
    if (last === 0) noteAddress()
    settleSoon()
  })
  // The router sends these events.
  addEventListener('pushState', noteAddress)
  addEventListener('replaceState', noteAddress)
  noteAddress()
  // Loaded again over an open dialog, which is gone.
  last = entries()
  settleSoon()
}

/** Lets Back call `dismiss` as long as this is the topmost dialog, until the returned function is called. */
export function holdBack(dismiss: () => void): () => void {
  const held = { dismiss }
  open.push(held)
  settleSoon()
  return () => {
    open.splice(open.indexOf(held), 1)
    settleSoon()
  }
}

/** Leads to another page in the place of the entries of open dialogs, or changes the address of the page below them. */
export const navigateOverDialogs: AroundNavHandler = (navigate, to, options) => {
  const held = entries()
  if (!arrival && held > 0 && options?.replace && new URL(to, location.href).pathname === location.pathname) {
    navigate(to, { ...options, state: history.state })
    return
  }
  const above = options?.replace ? held : held - 1
  if (arrival || above > 0) {
    waiting.push(() => navigateOverDialogs(navigate, to, options))
    if (!arrival) travel(-above)
    return
  }
  navigate(to, held > 0 ? { ...options, replace: true } : options)
  last = 0
  settleSoon()
}

/** The same outside of components. */
export function goTo(to: string): void {
  navigateOverDialogs(navigateBrowser, to)
}

function entries(): number {
  return (history.state as { dialogs?: number } | null)?.dialogs ?? 0
}

function noteAddress(): void {
  address = location.href
}

function settleSoon(): void {
  if (isSettling) return
  isSettling = true
  // It runs before web/lib/old-browsers.ts, so without what Chrome before 71 lacks.
  void Promise.resolve().then(() => {
    isSettling = false
    if (!arrival) settle()
  })
}

/** Makes as many entries as there are dialogs. */
function settle(): void {
  const now = entries()
  if (now > open.length) travel(open.length - now)
  else if (now < open.length && forward > now) travel(Math.min(forward, open.length) - now)
  else {
    // The page below stays where it is, so the browser has no scroll position to restore.
    history.scrollRestoration = open.length > 0 ? 'manual' : 'auto'
    for (let n = now + 1; n <= open.length; n++) history.pushState({ ...history.state, dialogs: n }, '')
    last = open.length
  }
  forward = 0
}

function travel(delta: number): void {
  arrival = setTimeout(() => {
    if (entries() > open.length) history.replaceState({ ...history.state, dialogs: undefined }, '')
    arrive()
    settleSoon()
  }, ARRIVAL_MS)
  history.go(delta)
}

function arrive(): void {
  clearTimeout(arrival)
  arrival = undefined
  for (const go of waiting.splice(0)) go()
}
