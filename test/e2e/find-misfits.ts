import type { Page } from '@playwright/test'

/** What a screen is looked at for: a size of window, and larger letters as people set them in their phone. */
export type Look = { name: string; width: number; height: number; letters?: '200%' }

export const LOOKS: readonly Look[] = [
  { name: '320 px', width: 320, height: 640 },
  { name: '320 px, letters of twice the size', width: 320, height: 640, letters: '200%' },
  { name: '360 px, letters of twice the size', width: 360, height: 740, letters: '200%' },
  { name: '412 px', width: 412, height: 892 },
  { name: '440 px', width: 440, height: 956 },
  { name: '480 px', width: 480, height: 900 },
  { name: 'on its side', width: 640, height: 320 },
  { name: 'on its side, wider', width: 740, height: 360 },
  { name: 'above a keyboard', width: 360, height: 370 },
]

/** Shows the page so, and waits until it is drawn so. */
export async function lookAt(page: Page, { width, height, letters }: Look | { width: number; height: number; letters?: undefined }) {
  await page.setViewportSize({ width, height })
  await page.evaluate(async (fontSize) => {
    document.documentElement.style.fontSize = fontSize
    window.dispatchEvent(new Event('resize'))
    for (let frame = 0; frame < 6; frame++) {
      await new Promise((resolve) => requestAnimationFrame(resolve))
      // What has come since then measures its letters, too.
      if (frame === 1) window.dispatchEvent(new Event('resize'))
    }
  }, letters ?? '')
}

/**
 * What does not fit on the screen as it is now, one line each: the page scrolls sideways; a number is cut; a button's words are
 * cut or outside; a field makes an iPhone zoom; a list of tiles has a hole although another number of columns would fill it;
 * lines of a text lie on one another; a field or a button of its form lies below a bar where it has been scrolled to.
 */
export function findMisfits(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const SLACK = 1.5
    const found = new Set<string>()
    const width = document.documentElement.clientWidth
    const dialogs = [...document.querySelectorAll<HTMLElement>('dialog[open]')]
    const top = dialogs.at(-1)
    const root: HTMLElement = top ?? document.body

    const wordsOf = (element: Element) => (element.textContent ?? '').replace(/\s+/g, ' ').trim().slice(0, 50)
    const nameOf = (element: Element) => {
      const place = element.closest('[aria-label], [aria-labelledby], section, article, nav, li, dialog')
      const label = place?.getAttribute('aria-label') ?? place?.querySelector('h1, h2, h3')?.textContent ?? ''
      return `“${wordsOf(element) || element.getAttribute('aria-label') || element.getAttribute('name') || element.id}” <${element.tagName.toLowerCase()} ${String(element.getAttribute('class')).slice(0, 90)}>${label ? ` in ${label.slice(0, 30)}` : ''}`
    }
    const isShown = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
      !element.closest('[inert], .sr-only, [aria-hidden="true"]')
    /** Its box, and those around it that cut what is outside of them; a box that scrolls shows the rest. */
    const cutters = (element: Element): Element[] => {
      const boxes: Element[] = []
      for (let one: Element | null = element; one && one !== document.body; one = one.parentElement) {
        const { overflowX, overflowY, position } = getComputedStyle(one)
        if ([overflowX, overflowY].some((value) => value === 'auto' || value === 'scroll')) break
        // It moves with a field that scrolls.
        if ((one as HTMLElement).dataset.scrolled !== undefined) break
        if ([overflowX, overflowY].some((value) => value === 'hidden' || value === 'clip')) boxes.push(one)
        if (position === 'fixed') break
      }
      return boxes
    }
    const sticksOut = (inner: DOMRect, outer: DOMRect) =>
      inner.right > outer.right + SLACK || inner.left < outer.left - SLACK || inner.bottom > outer.bottom + 4 || inner.top < outer.top - 4
    const scrolls = (element: Element) => {
      for (let one: Element | null = element; one && one !== document.documentElement; one = one.parentElement)
        if (['auto', 'scroll'].includes(getComputedStyle(one).overflowX) && one.scrollWidth > one.clientWidth) return true
      return false
    }

    if (document.documentElement.scrollWidth > width) {
      const wide = [...document.querySelectorAll('body *')].filter(
        (one) =>
          isShown(one) &&
          one.getBoundingClientRect().right > width + SLACK &&
          !scrolls(one) &&
          cutters(one.parentElement as Element).length === 0,
      )
      // Of all that was widened with it, what cannot be narrower.
      const needed = (one: Element) => {
        const { style } = one as HTMLElement
        const before = style.width
        style.width = 'min-content'
        const own = one.getBoundingClientRect().width
        style.width = before
        return own
      }
      const leaves = wide.filter((one) => !wide.some((other) => other !== one && one.contains(other))).slice(0, 200)
      const causes = leaves.sort((one, other) => needed(other) - needed(one)).slice(0, 2)
      found.add(`the page scrolls sideways by ${document.documentElement.scrollWidth - width} px: ${causes.map(nameOf).join('; ')}`)
    }
    for (const one of [top, ...root.querySelectorAll<HTMLElement>('*')])
      if (one && one.scrollWidth > one.clientWidth + 1 && one === top) found.add(`the dialog scrolls sideways: ${nameOf(one)}`)

    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const words = text.textContent?.trim() ?? ''
      const parent = text.parentElement
      if (!words || !parent || !isShown(parent) || parent.closest('option, script, style, svg, canvas')) continue
      const { lineHeight, fontSize } = getComputedStyle(parent)
      if (Number.parseFloat(lineHeight) < Number.parseFloat(fontSize) * 0.95) found.add(`lines overlap: ${nameOf(parent)}`)
      const button = parent.closest('button, a[href], summary, [role="button"], [role="tab"]')
      const isNumber = /\d/.test(words)
      if (!button && !isNumber) continue
      if (parent.closest('button, a') !== null && parent.clientWidth === 1) continue
      const range = document.createRange()
      // Of words with a number in them, the number has to be seen; of a button all.
      const parts =
        button && !isNumber
          ? [[0, text.textContent?.length ?? 0]]
          : [...(text.textContent ?? '').matchAll(/\d[\d.,:/ ]*\d|\d/g)].map(({ index, 0: digits }) => [index, index + digits.length])
      const boxes = parts.flatMap(([from, to]) => {
        range.setStart(text, from as number)
        range.setEnd(text, to as number)
        return [...range.getClientRects()].filter((box) => box.width > 0)
      })
      for (const box of boxes) {
        const cutter = cutters(parent).find((one) => {
          const around = one.getBoundingClientRect()
          // What is folded up is not cut.
          return around.width > 4 && around.height > 4 && sticksOut(box, around)
        })
        // A long name without a number may end in an ellipsis; what is pressed keeps its words.
        // The places of a bar are pressed by their words.
        const isName =
          !isNumber && cutter && getComputedStyle(cutter).textOverflow === 'ellipsis' && cutter !== button && !cutter.closest('nav')
        if (isName) continue
        if (cutter) {
          found.add(`${isNumber ? 'a number' : 'a button’s text'} is cut: ${nameOf(parent)}`)
          break
        }
        if (button && sticksOut(box, button.getBoundingClientRect()) && getComputedStyle(button).display !== 'inline') {
          found.add(`words are outside of their button: ${nameOf(button)}`)
          break
        }
        if ((box.right > width + SLACK || box.left < -SLACK) && !scrolls(parent)) {
          found.add(`outside of the screen: ${nameOf(parent)}`)
          break
        }
      }
    }

    const pressed = [...root.querySelectorAll<HTMLElement>('button, a[href], summary, input, select, textarea')].filter(isShown)
    for (const one of pressed) {
      const box = one.getBoundingClientRect()
      if (box.width > 0 && (box.right > width + SLACK || box.left < -SLACK) && !scrolls(one) && !one.closest('[class*="sr-only"]'))
        found.add(`a button or field is outside of the screen: ${nameOf(one)}`)
    }

    const UNTYPED = ['checkbox', 'radio', 'range', 'color', 'file', 'hidden', 'submit', 'button']
    for (const field of root.querySelectorAll<HTMLInputElement>('input, select, textarea')) {
      if (UNTYPED.includes(field.type) || !isShown(field)) continue
      const size = Number.parseFloat(getComputedStyle(field).fontSize)
      if (size < 16) found.add(`an iPhone zooms at a field of ${size} px: ${nameOf(field)}`)
      // A number that was typed, or the hint where nothing was.
      if (
        field.tagName === 'INPUT' &&
        /\d/.test(field.value) &&
        // An email address may be longer than any field, whose text then moves.
        field.type !== 'email' &&
        field.scrollWidth > field.clientWidth + 2 &&
        document.activeElement !== field
      )
        found.add(`a typed number is cut: ${field.value} ${nameOf(field)}`)
    }

    for (const grid of root.querySelectorAll<HTMLElement>('*')) {
      const style = getComputedStyle(grid)
      if (style.display !== 'grid' || !isShown(grid)) continue
      const tiles = [...grid.children].filter((one) => isShown(one) && !['absolute', 'fixed'].includes(getComputedStyle(one).position))
      // A list of things of one kind.
      if (width > 480 || tiles.length < 3 || new Set(tiles.map(({ tagName }) => tagName)).size > 1) continue
      const boxes = tiles.map((one) => one.getBoundingClientRect())
      if (boxes.some((box) => Math.abs(box.width - (boxes[0] as DOMRect).width) > 2)) continue
      const columns = new Set(boxes.map(({ left }) => Math.round(left))).size
      if (columns < 2 || tiles.length % columns === 0) continue
      const better = [columns + 1, columns - 1].filter((other) => other > 1 && tiles.length % other === 0)
      if (better.length > 0)
        found.add(`a hole: ${tiles.length} in ${columns} columns, though ${better.join(' or ')} would fill: ${nameOf(grid)}`)
    }

    if (window.innerHeight < 400) {
      const y = window.scrollY
      const form = [...root.querySelectorAll<HTMLElement>('input, select, textarea, form button, dialog[open] button')].filter(isShown)
      for (const one of form.slice(0, 60)) {
        if ((one as HTMLInputElement).disabled || one.closest('[role="tablist"], nav, header')) continue
        one.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' })
        const box = one.getBoundingClientRect()
        if (box.width < 2 || box.height < 2) continue
        const label = one.closest('label')
        const hit = document.elementFromPoint(box.left + box.width / 2, Math.min(box.top + box.height / 2, box.top + 30))
        if (hit && (one.contains(hit) || hit.contains(one) || label?.contains(hit))) continue
        found.add(`below something else where it was scrolled to: ${nameOf(one)}, under ${hit ? nameOf(hit) : 'nothing'}`)
      }
      window.scrollTo(0, y)
    }
    return [...found]
  })
}
