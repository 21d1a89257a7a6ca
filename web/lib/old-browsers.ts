/**
 * The functions of browsers that phones from 2018 on lack. web/main.tsx loads this file where some are missing, before the first screen. A
 * function that came after Chrome 64 belongs here once a screen uses it, unless it is called with `?.`.
 */
import 'core-js/actual/array/at'
import 'core-js/actual/array/find-last'
import 'core-js/actual/array/find-last-index'
import 'core-js/actual/array/flat'
import 'core-js/actual/array/flat-map'
import 'core-js/actual/array/to-reversed'
import 'core-js/actual/array/to-sorted'
import 'core-js/actual/array/to-spliced'
import 'core-js/actual/array/with'
import 'core-js/actual/global-this'
import 'core-js/actual/map/group-by'
import 'core-js/actual/object/from-entries'
import 'core-js/actual/object/group-by'
import 'core-js/actual/object/has-own'
import 'core-js/actual/promise/all-settled'
import 'core-js/actual/promise/any'
import 'core-js/actual/queue-microtask'
import 'core-js/actual/string/at'
import 'core-js/actual/string/match-all'
import 'core-js/actual/string/replace-all'
import 'core-js/actual/string/trim-end'
import 'core-js/actual/string/trim-start'
import { bringAbort } from './old-abort.ts'
import { drawAsToday } from './old-canvas.ts'
import { openDialogs } from './old-dialogs.ts'
import { followHas, rulesOf } from './old-selectors.ts'

if (!('AbortController' in window)) bringAbort()

// core-js leaves out what belongs to the browser rather than to the language.
AbortSignal.timeout ??= (ms) => {
  const controller = new AbortController()
  setTimeout(() => abortFor(controller, new DOMException('The operation timed out.', 'TimeoutError')), ms)
  return controller.signal
}
AbortSignal.any ??= (signals) => {
  const controller = new AbortController()
  for (const signal of signals) {
    if (signal.aborted) abortFor(controller, signal.reason)
    else signal.addEventListener('abort', () => abortFor(controller, signal.reason), { once: true })
  }
  return controller.signal
}

// Chrome before 81 sends nothing with `keepalive` that has a header of ours. Intl.DisplayNames came with 81.
if (!('DisplayNames' in Intl)) {
  const send = window.fetch
  window.fetch = (input, init) => send(input, init?.keepalive ? { ...init, keepalive: false } : init)
}

const lacksGaps = !hasFlexGap()
/** Chrome before 66 knows gaps in grids alone, by their older names. */
const gap = CSS.supports('row-gap', '0') ? '' : 'grid-'
if (gap && document.styleSheets[0]) nameGaps(document.styleSheets[0], document.styleSheets[0].ownerNode?.textContent ?? '')
if (lacksGaps) spaceTexts()
if (document.styleSheets[0]) adapt(document.styleSheets[0])
if ('adoptedStyleSheets' in Document.prototype) adaptAdopted()
else adoptAsRules()
standDialogs()
if (!('popover' in HTMLElement.prototype)) openPopovers()
if (!('showModal' in document.createElement('dialog'))) openDialogs()
if (!CSS.supports('selector(:has(a))')) followHas()
drawAsToday()

type Rules = { cssRules: CSSRuleList; insertRule: (text: string, at: number) => number }

/** Says in a sheet's rules what it says in words that this browser does not know. */
function adapt(sheet: Rules) {
  for (const rule of [...sheet.cssRules]) {
    if (rule instanceof CSSMediaRule) adapt(rule)
    else if (rule instanceof CSSStyleRule) {
      setColumns(rule)
      if (lacksGaps && /^\.[^ ,:>]*(?:\\:)?[^ ,:>]*gap-[^ ,:>]*$/.test(rule.selectorText)) giveGaps(sheet, rule)
    }
  }
}

/** Says in a sheet's further rules by their older names which gaps its text has. */
function nameGaps(sheet: Rules, text: string) {
  for (const { selector, body, place } of rulesOf(text)) {
    const gaps = body.match(/(?:^|;)(?:(?:row|column)-)?gap:[^;]+/g)
    const older = gaps?.map((each) => each.replace(/^;?/, gap)).join(';')
    if (older) sheet.insertRule(place(`${selector}{${older}}`), sheet.cssRules.length)
  }
}

/**
 * Margins in place of gaps between what stands in a row or a column, which Chrome before 84 and Safari before 14.1 know in grids alone.
 * Rows that wrap have them on the other side, so that no line is indented, and room below each entry.
 */
function giveGaps(sheet: Rules, { selectorText: name, style }: CSSStyleRule) {
  const [columnGap, rowGap] = ['column', 'row'].map((axis) => style.getPropertyValue(`${gap}${axis}-gap`))
  const add = (text: string) => void sheet.insertRule(text, sheet.cssRules.length)
  if (columnGap && columnGap !== 'normal') {
    add(`:-webkit-any(${name}.flex, ${name}.inline-flex):not(.flex-col) > * + *:not(.ml-auto) { margin-left: ${columnGap} }`)
    add(`${name}.flex-wrap > * + *:not(.ml-auto) { margin-left: 0 }`)
    add(`${name}.flex-wrap > *:not(:last-child):not(.mr-auto) { margin-right: ${columnGap} }`)
  }
  if (!rowGap || rowGap === 'normal') return
  add(`${name}.flex-wrap > * { margin-bottom: ${rowGap} }`)
  add(`${name}.flex-col > * + *:not(.mt-auto) { margin-top: ${rowGap} }`)
  for (const [size, from] of [
    ['sm', '40rem'],
    ['md', '48rem'],
    ['lg', '64rem'],
  ]) {
    add(`@media (min-width: ${from}) { ${name}.${size}\\:flex-row > * + *:not(.ml-auto) { margin-top: 0; margin-left: ${rowGap} } }`)
  }
}

/** The columns of a grid whose class names them with `min()`, which came with Chrome 79: its first argument. */
function setColumns({ selectorText, style }: CSSStyleRule) {
  const [, columns] = /grid-cols-\\\[(.*min\\\(.*)\\\]$/.exec(selectorText) ?? []
  if (!columns || style.gridTemplateColumns) return
  style.gridTemplateColumns = columns
    .replace(/\\(.)/g, '$1')
    .replace(/_/g, ' ')
    .replace(/\bmin\(([^,()]+),[^()]+\)/g, '$1')
}

/** Sheets that scripts make, in browsers that take them. */
function adaptAdopted() {
  const replace = CSSStyleSheet.prototype.replaceSync
  CSSStyleSheet.prototype.replaceSync = function (text) {
    replace.call(this, text)
    adapt(this)
  }
}

/** Gaps beside a text that stands in a row by itself, as in a button behind its icon: margins of its neighbours. */
function spaceTexts() {
  const isBesideText = (child: Element, side: 'previousSibling' | 'nextSibling') => {
    let node = child[side]
    while (node && !(node instanceof Element) && !(node instanceof Text && node.data.trim())) node = node[side]
    return node instanceof Text
  }
  const space = (row: Element) => {
    const computed = getComputedStyle(row)
    const { display, flexDirection } = computed
    const columnGap = computed.getPropertyValue(`${gap}column-gap`)
    if (!display.includes('flex') || flexDirection !== 'row' || !columnGap || columnGap === 'normal') return
    for (const child of row.children) {
      const { style } = child as HTMLElement
      if (isBesideText(child, 'nextSibling')) style.marginRight = columnGap
      if (!child.previousElementSibling && isBesideText(child, 'previousSibling')) style.marginLeft = columnGap
    }
  }
  const spaceWithin = (root: Element) => {
    space(root)
    for (const row of root.querySelectorAll('[class*=gap-]')) space(row)
  }
  spaceWithin(document.body)
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) {
      space(target as Element)
      for (const node of addedNodes) if (node instanceof Element) spaceWithin(node)
    }
  }).observe(document.body, { childList: true, subtree: true })
}

/**
 * Modal dialogs stay in the window while the page below moves, which Chrome 72 does not see to. Before Chrome 86 a fieldset can't lay out its
 * entries in a row.
 */
function standDialogs() {
  const sheet = document.styleSheets[0]
  const add = (text: string, at = sheet?.cssRules.length ?? 0) => void sheet?.insertRule(text, at)
  add('dialog { position: fixed; top: 0; bottom: 0 }', 0)
  if (canLayOutFieldset()) return
  add('fieldset.flex:not(.flex-col), fieldset.grid { display: block; white-space: nowrap }')
  add('fieldset.flex-wrap.flex { white-space: normal }')
  add('fieldset.flex:not(.flex-col) > :not(legend) { display: inline-flex; vertical-align: middle; margin-left: 0; margin-right: 8px }')
}

function canLayOutFieldset(): boolean {
  const box = document.createElement('fieldset')
  box.className = 'flex'
  box.append(document.createElement('p'), document.createElement('p'))
  for (const one of box.children) one.textContent = 'a'
  document.body.append(box)
  const [first, second] = box.children as unknown as [HTMLElement, HTMLElement]
  const can = first.offsetTop === second.offsetTop
  box.remove()
  return can
}

/** Menus that open by a press on their button, and close by one anywhere else or by Escape. */
function openPopovers() {
  const sheet = document.styleSheets[0]
  sheet?.insertRule('[popover]:not(.popover-open) { display: none !important }', sheet.cssRules.length)
  const setOpen = (menu: Element | null | undefined, isOpen?: boolean) => void menu?.classList.toggle('popover-open', isOpen)
  Object.assign(HTMLElement.prototype, {
    hidePopover(this: HTMLElement) {
      setOpen(this, false)
    },
    showPopover(this: HTMLElement) {
      setOpen(this, true)
    },
  })
  const closeAllBut = (kept: (Element | null | undefined)[]) => {
    for (const menu of document.querySelectorAll('.popover-open')) if (!kept.includes(menu)) setOpen(menu, false)
  }
  document.addEventListener('click', ({ target }) => {
    const pressed = target instanceof Element ? target : null
    const opened = document.getElementById(pressed?.closest('[popovertarget]')?.getAttribute('popovertarget') ?? '')
    closeAllBut([opened, pressed?.closest('.popover-open')])
    setOpen(opened)
  })
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') closeAllBut([])
  })
}

/**
 * Sheets that a script makes become rules of the page's own sheet, each as a whole: the content security policy allows no further
 * `<style>`. Before Chrome 73, Firefox 101 and Safari 16.4.
 */
function adoptAsRules() {
  class Sheet {
    text = ''
    rule: CSSRule | undefined
    replaceSync(text: string) {
      this.text = text
    }
  }
  const page = document.styleSheets[0]
  let adopted: Sheet[] = []
  Object.assign(window, { CSSStyleSheet: Sheet })
  Object.defineProperty(document, 'adoptedStyleSheets', {
    get: () => adopted,
    set(next: Sheet[]) {
      if (!page) return
      for (const { rule } of adopted) if (rule) page.deleteRule([...page.cssRules].indexOf(rule))
      for (const sheet of next) {
        sheet.rule = page.cssRules[page.insertRule(`@media all { ${sheet.text} }`, page.cssRules.length)]
        if (gap) nameGaps(sheet.rule as CSSMediaRule, sheet.text)
        adapt(sheet.rule as CSSMediaRule)
      }
      adopted = [...next]
    },
  })
}

function hasFlexGap(): boolean {
  const box = document.createElement('div')
  box.className = 'flex flex-col gap-1'
  box.append(document.createElement('i'), document.createElement('i'))
  document.body.append(box)
  const has = box.scrollHeight > 0
  box.remove()
  return has
}

/** `fetch` of an old browser rejects with an AbortError, whatever the reason; our callers ask the signal. */
function abortFor(controller: AbortController, reason: unknown) {
  controller.abort(reason)
  if (controller.signal.reason === undefined) Object.defineProperty(controller.signal, 'reason', { value: reason })
}

// Version 4 of RFC 9562: random but for its version and variant.
crypto.randomUUID ??= () => {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (Number(bytes[6]) & 0x0f) | 0x40
  bytes[8] = (Number(bytes[8]) & 0x3f) | 0x80
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
