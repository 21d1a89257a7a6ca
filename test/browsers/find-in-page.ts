import { transformWithOxc } from 'vite'

/** What is looked for: a role with a part of its name, or a text that an element shows. A pattern is a RegExp's source. */
export type Query = {
  role?: string
  name?: Words
  text?: Words
  /** Looks only inside of what this finds. */
  within?: Query
  /** Looks in the page of the frame with this title. */
  frame?: string
}
export type Words = string | { pattern: string }

export type Found = {
  /** How many there are in sight. */
  count: number
  /** The middle of the first one, scrolled to; null without one. */
  at: { x: number; y: number } | null
  /** What lies over the middle of it and would get the press. */
  coveredBy: string | null
  isDisabled: boolean
  text: string
  value: string
}

/** The expression that finds in a page of 2018 or later what `query` says. */
export async function findExpression(query: Query): Promise<string> {
  lowered ??= transformWithOxc(`(${findInPage})`, 'find-in-page.js', { target: 'chrome64' }).then(({ code }) => code.replace(/;\s*$/, ''))
  return `(${await lowered})(${JSON.stringify(query)})`
}

let lowered: Promise<string> | undefined

/** Runs in the page, so it uses nothing from outside of itself. Names are computed as far as our own pages need it. */
function findInPage(query: Query): Found {
  const ROLES: Record<string, string> = {
    button: 'button,summary,[role=button]',
    link: 'a[href],[role=link]',
    field: 'input,textarea,select',
    radio: 'input[type=radio],[role=radio]',
    dialog: 'dialog,[role=dialog],[role=alertdialog]',
    region: 'section[aria-label],section[aria-labelledby],[role=region]',
    banner: 'body > header,header,[role=banner]',
    heading: 'h1,h2,h3,[role=heading]',
    row: 'tr,li',
    article: 'article',
    main: 'main',
    navigation: 'nav',
    note: '[role=status],[role=alert],output',
  }
  const frame = query.frame === undefined ? null : [...document.querySelectorAll('iframe')].find(({ title }) => title === query.frame)
  const root: ParentNode | null = query.frame === undefined ? document : (frame?.contentDocument ?? null)
  const nothing = { count: 0, at: null, coveredBy: null, isDisabled: false, text: '', value: '' }
  if (!root) return nothing
  const all = search(query, root)
  const element = all[0]
  if (!element) return nothing

  const height = element.ownerDocument.defaultView?.innerHeight ?? 0
  const { top, bottom } = element.getBoundingClientRect()
  if (top < 0 || bottom > height || !isOnTop(element)) element.scrollIntoView({ block: 'center' })
  const inner = middleOf(element)
  const offset = frame?.getBoundingClientRect() ?? { left: 0, top: 0 }
  return {
    count: all.length,
    at: { x: inner.x + offset.left, y: inner.y + offset.top },
    coveredBy: isOnTop(element) ? null : describe(hitAt(element)),
    isDisabled: element.matches(':disabled,[aria-disabled=true]'),
    text: wordsOf(element),
    value: 'value' in element ? String(element.value) : '',
  }

  function search({ role, name, text, within }: Query, from: ParentNode): Element[] {
    const place = within ? search(within, from)[0] : from
    if (!place) return []
    const found = [...place.querySelectorAll(role ? (ROLES[role] ?? `[role=${role}]`) : 'body *')].filter(
      (one) => isShown(one) && (name === undefined || fits(nameOf(one), name)) && (text === undefined || fits(wordsOf(one), text)),
    )
    // Of a text the innermost elements that show it.
    return role ? found : found.filter((one) => !found.some((other) => other !== one && one.contains(other)))
  }

  function isShown(element: Element) {
    const { width, height } = element.getBoundingClientRect()
    return width > 0 && height > 0 && getComputedStyle(element).visibility === 'visible'
  }

  function fits(words: string, wanted: Words) {
    if (typeof wanted === 'string') return words.toLowerCase().includes(wanted.toLowerCase())
    return new RegExp(wanted.pattern).test(words)
  }

  function nameOf(element: Element): string {
    const by = element.getAttribute('aria-labelledby')
    if (by) return by.split(/\s+/).map(textOfId).join(' ').trim()
    const label = element.getAttribute('aria-label')
    if (label) return label
    const labels = 'labels' in element ? (element.labels as NodeListOf<Element> | null) : null
    if (labels?.length) return [...labels].map(wordsOf).join(' ')
    return wordsOf(element) || (element.getAttribute('title') ?? element.getAttribute('placeholder') ?? '')
  }

  function textOfId(id: string) {
    const named = document.getElementById(id)
    return named ? wordsOf(named) : ''
  }

  function wordsOf(element: Element): string {
    // biome-ignore lint/performance/useDomNodeTextContent: what is seen counts, not what is hidden.
    return ((element as HTMLElement).innerText ?? element.textContent ?? '').replace(/\s+/g, ' ').trim()
  }

  function middleOf(element: Element) {
    const { left, top, width, height } = element.getBoundingClientRect()
    return { x: left + width / 2, y: top + height / 2 }
  }

  function hitAt(element: Element) {
    const { x, y } = middleOf(element)
    return element.ownerDocument.elementFromPoint(x, y)
  }

  /** Whether a press on its middle reaches it, be it by its label. */
  function isOnTop(element: Element) {
    const hit = hitAt(element)
    return hit !== null && (element.contains(hit) || (element.closest('label')?.contains(hit) ?? false))
  }

  function describe(element: Element | null) {
    return element
      ? `<${element.tagName.toLowerCase()} class="${element.getAttribute('class') ?? ''}"> ${wordsOf(element).slice(0, 60)}`
      : 'nothing'
  }
}
