type Watched = { before: string; inner: string; attribute: string }

const watched: Watched[] = []

/**
 * Rules with `:has()` and `:focus-visible` for Chrome before 105, Firefox before 121 and Safari before 15.4, which leave out the whole rule.
 * What a rule asks of its descendants becomes an attribute, which is set as the page changes.
 */
export function followHas() {
  const sheet = document.styleSheets[0]
  const text = sheet?.ownerNode?.textContent ?? ''
  for (const rule of olderRules(text)) sheet?.insertRule(rule, sheet.cssRules.length)
  // A heading has the focus for readers of the screen; before :focus-visible it would have the frame of a field.
  if (!CSS.supports('selector(:focus-visible)')) sheet?.insertRule('[tabindex="-1"]:focus { outline: none }', sheet.cssRules.length)
  const { prototype } = CSSStyleSheet
  const replace = prototype.replaceSync
  prototype.replaceSync = function (css) {
    replace.call(this, css + olderRules(css).join(''))
    soon()
  }
  new MutationObserver(soon).observe(document, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['class', 'disabled', 'hidden', 'open'],
  })
  for (const event of ['input', 'change', 'click', 'focusin', 'focusout']) document.addEventListener(event, soon)
  soon()
}

let isWaiting = false

function soon() {
  if (isWaiting) return
  isWaiting = true
  requestAnimationFrame(() => {
    isWaiting = false
    for (const { before, inner, attribute } of watched)
      for (const element of document.querySelectorAll(before)) {
        if (has(element, inner) === element.hasAttribute(attribute)) continue
        if (element.hasAttribute(attribute)) element.removeAttribute(attribute)
        else element.setAttribute(attribute, '')
      }
  })
}

function has(element: Element, inner: string): boolean {
  return inner.startsWith('>')
    ? [...element.children].some((child) => child.matches(inner.slice(1)))
    : element.querySelector(inner) !== null
}

/** The rules of a sheet that the browser leaves out, each in words that it knows, inside of their media queries. */
export function olderRules(css: string): string[] {
  return [...rulesOf(css)]
    .filter(({ selector }) => /(?:^|[^\\]):(?:has\(|focus-visible)/.test(selector))
    .map(({ selector, body, place }) => place(`${withoutHas(selector.replace(/(^|[^\\]):focus-visible/g, '$1:focus'))}{${body}}`))
}

/** The rules of a sheet; `place` puts one where another stands, inside of its media queries. What stands behind other questions is left out. */
export function* rulesOf(css: string): Generator<{ selector: string; body: string; place: (rule: string) => string }> {
  for (let at = 0; ; ) {
    const open = css.indexOf('{', at)
    if (open === -1) return
    const close = endOf(css, open, '{', '}')
    const prelude = css.slice(at, open).trim()
    const body = css.slice(open + 1, close)
    at = close + 1
    if (prelude.startsWith('@media'))
      for (const rule of rulesOf(body)) yield { ...rule, place: (text) => `${prelude}{${rule.place(text)}}` }
    if (!prelude.startsWith('@')) yield { selector: prelude, body, place: (text) => text }
  }
}

function withoutHas(selector: string): string {
  const [found = '', last = ''] = /([^\\]):has\(/.exec(selector) ?? []
  if (!found) return selector
  const at = selector.indexOf(found) + last.length
  const open = selector.indexOf('(', at)
  const close = endOf(selector, open, '(', ')')
  const before = selector.slice(selector.lastIndexOf(',', at) + 1, at)
  const inner = selector.slice(open + 1, close)
  const known = watched.find((each) => each.before === before && each.inner === inner)
  const attribute = known?.attribute ?? `data-has-${watched.length}`
  if (!known) watched.push({ before, inner, attribute })
  return withoutHas(`${selector.slice(0, at)}[${attribute}]${selector.slice(close + 1)}`)
}

/** Where the bracket that opens at a place is closed; the end of the text if nowhere. */
function endOf(text: string, from: number, opening: string, closing: string): number {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    if (text[at] === opening) depth++
    else if (text[at] === closing && --depth === 0) return at
  }
  return text.length
}
