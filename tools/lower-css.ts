import type { AtRule, ChildNode, Container, Declaration, Plugin, Rule } from 'postcss'
import selectorParser from 'postcss-selector-parser'

/**
 * Says in words of 2018 what Tailwind and our own sheets say in words of today, for phones of that age. One sheet
 * serves all: the words are shorter or as long, and today's browsers read them as well.
 *
 * - Cascade layers are opened. Rules then compete by specificity and order alone, so a rule of the base that names a class is as
 *   strong as a utility.
 * - `@property` goes: Tailwind has the same values for every element, behind a question that only some old browsers pass.
 * - `:is()` and `:where()` become lists of selectors.
 * - Logical properties become those of a page that runs from left to right.
 * - `translate` and `rotate` become `transform`: no element may have two of them.
 * - `dvh`, `min()` and `max()` get a plain value before them. In a grid's columns they don't: the minifier would take it away.
 *
 * Vite's own minifier lowers the rest (`inset`, ranges in media queries, prefixes).
 */
export function lowerCss(): Plugin {
  return {
    postcssPlugin: 'lower-css',
    OnceExit(root) {
      root.walkAtRules('layer', open)
      root.walkAtRules('supports', (rule) => {
        // The base asks twice about the colour of placeholders, which have one of ours.
        if (/color-mix|apple-pay/.test(rule.params)) rule.remove()
        if (!rule.params.includes('margin-trim')) return
        // No backdrop has a class.
        rule.walkRules((each) => {
          each.selectors = each.selectors.filter((selector) => selector !== '::backdrop')
        })
        open(rule)
      })
      root.walkAtRules('property', (rule) => void rule.remove())
      // The minifier adds these by itself, and beside one of ours four times.
      root.walkDecls('-webkit-text-decoration', (declaration) => void declaration.remove())
      root.walkDecls(lowerDeclaration)
      root.walkRules(lowerSelectors)
    },
  }
}

/** Puts what is inside of it in its place; a statement without a block goes. */
function open(rule: AtRule) {
  if (rule.nodes) rule.replaceWith(...rule.nodes)
  else rule.remove()
}

const SIDES = { inline: ['left', 'right'], block: ['top', 'bottom'] } as const

/** Both sides at once, as in `padding-inline`; the value may give one for each. */
const BOTH = /^(margin|padding|border|inset)-(inline|block)(-(?:color|style|width))?$/
const ONE = /^(margin|padding|border|inset|scroll-margin|scroll-padding)-(inline|block)-(start|end)(-(?:color|style|width))?$/

function lowerDeclaration(declaration: Declaration) {
  const { prop, value } = declaration
  const both = BOTH.exec(prop)
  const one = ONE.exec(prop)
  if (both) {
    const [, name = '', axis, kind = ''] = both
    const [first = '', second = first] = name === 'border' && !kind ? [value] : splitAtSpaces(value)
    const [before, after] = SIDES[axis as keyof typeof SIDES]
    declaration.replaceWith(
      declaration.clone({ prop: sideOf(name, before, kind), value: first }),
      declaration.clone({ prop: sideOf(name, after, kind), value: second }),
    )
    return
  }
  if (one) {
    const [, name = '', axis, end, kind = ''] = one
    declaration.prop = sideOf(name, SIDES[axis as keyof typeof SIDES][end === 'start' ? 0 : 1], kind)
  }
  if (prop === 'translate') setTransform(declaration, value === 'none' ? value : `translate(${splitAtSpaces(value).join(', ')})`)
  if (prop === 'rotate') setTransform(declaration, value === 'none' ? value : `rotate(${value})`)
  if (/^transition(?:-property)?$/.test(prop)) declaration.value = lowerTransition(value)
  if (prop === 'overflow-wrap' && value === 'anywhere') declaration.cloneBefore({ prop: 'word-break', value: 'break-word' })
  if (prop.startsWith('--')) return
  const plain = plainValue(value)
  if (plain !== value && !hasTwin(declaration, plain)) declaration.cloneBefore({ value: plain })
}

function sideOf(name: string, side: string, kind: string) {
  return name === 'inset' ? side : `${name}-${side}${kind}`
}

function setTransform(declaration: Declaration, value: string) {
  declaration.assign({ prop: 'transform', value })
}

/** `transform, translate, scale, rotate` move one property now. */
function lowerTransition(value: string) {
  const seen = new Set<string>()
  return splitAt(value.replace(/(?<![\w-])(?:translate|rotate|scale)(?![\w-])/g, 'transform'), ',')
    .map((part) => part.trim())
    .filter((part) => !seen.has(part) && seen.add(part))
    .join(', ')
}

/** The value for a browser without `dvh`, and without `min()` and `max()`: their first argument. */
function plainValue(value: string): string {
  let plain = value.replace(/(\d)[ds]vh\b/g, '$1vh')
  for (let at = plain.search(/(?<![\w-])(?:min|max)\(/); at >= 0; at = plain.search(/(?<![\w-])(?:min|max)\(/)) {
    const end = closing(plain, plain.indexOf('(', at))
    const [first = ''] = splitAt(plain.slice(plain.indexOf('(', at) + 1, end), ',')
    plain = plain.slice(0, at) + first.trim() + plain.slice(end + 1)
  }
  return plain
}

function hasTwin(declaration: Declaration, value: string) {
  return (declaration.parent as Container<ChildNode>).some(
    (node) => node.type === 'decl' && node.prop === declaration.prop && node.value === value,
  )
}

const splitAtSpaces = (value: string) => splitAt(value, ' ').filter(Boolean)

/** Splits outside of brackets. */
function splitAt(value: string, separator: string): string[] {
  const parts = ['']
  let depth = 0
  for (const char of value) {
    if (char === '(') depth++
    if (char === ')') depth--
    if (char === separator && depth === 0) parts.push('')
    else parts[parts.length - 1] += char
  }
  return parts
}

function closing(value: string, opening: number): number {
  let depth = 0
  for (let at = opening; at < value.length; at++) {
    if (value[at] === '(') depth++
    if (value[at] === ')' && --depth === 0) return at
  }
  throw new Error(`a bracket is open: ${value}`)
}

function lowerSelectors(rule: Rule) {
  if (/:(?:is|where)\(/.test(rule.selector)) rule.selectors = [...new Set(rule.selectors.flatMap(withoutLists))]
}

/**
 * Writes a selector with `:is(a, b)` or `:where(a, b)` as one with `a` and one with `b`. A list inside of another pseudo-class, as in
 * `:not(:is(a, b))`, is part of what that one says and stays.
 * @throws Error for an ancestor that is asked for in the middle of a selector, as in `a b:is(c d)`.
 */
export function withoutLists(selector: string): string[] {
  const { nodes } = parse(selector)
  const at = nodes.findIndex(({ value, type }) => type === 'pseudo' && /^:(?:is|where)$/.test(value ?? ''))
  if (at < 0) return [selector]
  const from = 1 + nodes.slice(0, at).findLastIndex(isCombinator)
  const [head, own, after] = [nodes.slice(0, from), nodes.slice(from, at), nodes.slice(at + 1)]
  const standsAlone = own.length === 0 && after.slice(0, 1).every(isCombinator)
  return (nodes[at] as selectorParser.Pseudo).nodes.flatMap((choice) => {
    const chosen = parse(String(choice)).nodes
    const last = 1 + chosen.findLastIndex(isCombinator)
    const [ancestors, element] = [chosen.slice(0, last), chosen.slice(last)]
    if (ancestors.length > 0 && head.length > 0) throw new Error(`cannot be said without :is() or :where(): ${selector}`)
    const isAny = element[0]?.type === 'universal' && !standsAlone
    const isTag = element[0]?.type === 'tag'
    const compound = isAny ? [...own, ...element.slice(1)] : isTag ? [...element, ...own] : [...own, ...element]
    return withoutLists([...head, ...ancestors, ...compound, ...after].join('').trim())
  })
}

const parse = (selector: string) => selectorParser().astSync(selector.trim()).first
const isCombinator = ({ type }: selectorParser.Node) => type === 'combinator'
