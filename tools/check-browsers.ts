import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import compat from '@mdn/browser-compat-data' with { type: 'json' }
import type { CompatStatement, Identifier } from '@mdn/browser-compat-data'
import postcss, { type ChildNode, type Container, type Declaration } from 'postcss'
import { build, parseAst, type Rolldown } from 'vite'

// Refuses what the built screens use and the oldest browsers of the promise (docs/browsers.md) lack: functions, selectors, properties and
// values. It knows names, not types: `list.at(0)` is a call of every `at` there is, and new only if all of them are.

const ROOT = resolve(import.meta.dirname, '..')
const OLD = '/old-browsers.js'
/** The oldest browsers with the full look and function. Chrome stands for Edge, Opera and Android's WebView of its version. */
const PROMISED = { chrome: 87, firefox: 91, safari: 14, safari_ios: 14 } as const

/** Newer names that do no harm, and why. */
const ALLOWED: Record<string, string> = {
  ':has': 'web/lib/old-selectors.ts',
  ':focus-visible': 'web/lib/old-selectors.ts',
  '.showModal()': 'web/lib/old-dialogs.ts',
  ':backdrop': 'web/lib/old-dialogs.ts',
  '.hidePopover()': 'web/lib/old-browsers.ts',
  '.replaceSync()': 'web/lib/old-browsers.ts',
  '.roundRect()': 'web/lib/old-canvas.ts',
  createImageBitmap: 'web/lib/old-canvas.ts',
  '.pipeThrough()': 'WebTransport is not asked for',
  '.canShare()': 'asked for first',
  '.readText()': 'a refusal is caught, and a list is pasted by hand',
  // React, the router, the card provider and the connection ask for these first.
  '.skipTransition()': 'asked for first',
  '.startViewTransition()': 'asked for first',
  '.navigate()': 'asked for first',
  '.getState()': 'of the card provider’s own',
  '.setStatus()': 'of the card provider’s own',
  TransformStream: 'WebTransport is not asked for',
  WebTransport: 'WebTransport is not asked for',
  '.setBigUint64()': 'WebTransport is not asked for',
  '.createBidirectionalStream()': 'WebTransport is not asked for',
  '.pipeTo()': 'WebTransport is not asked for',
  '.getWriter()': 'WebTransport is not asked for',
  'Error.captureStackTrace': 'asked for first',
  // Nothing is lost but finish.
  ':file-selector-button': 'the browser’s own button',
  ':popover-open': 'an arrow does not turn',
  ':open': 'an arrow does not turn',
  '@starting-style': 'a sheet opens at once',
  '@container': 'a word is cut on the narrowest bar',
  'container-type': 'a word is cut on the narrowest bar',
  '@media (forced-colors)': 'no colours of the reader’s own choice',
  'height: fit-content': 'Firefox 91 to 93 draw a sheet higher than it needs',
  'min-height: lh': 'another height of a date',
  'overflow-wrap: anywhere': 'word-break before it does the same',
  'aspect-ratio': 'a canvas has its own',
  scale: 'a picture is a tenth larger',
  resize: 'a field is not drawn larger',
  'scroll-padding-bottom': 'the keyboard may hide a field until it is moved',
  'scroll-margin-top': 'a heading stands below the bar',
  'scroll-snap-type': 'pictures stop anywhere',
  'scroll-behavior': 'the page jumps',
  'scrollbar-width': 'a bar shows',
  'overscroll-behavior': 'the page scrolls behind a sheet',
  'text-wrap': 'lines of other lengths',
  'accent-color': 'the browser’s own colour',
  'color-scheme': 'the browser’s own colours of bars',
  'cursor: pointer': 'a phone has no mouse',
  'cursor: progress': 'a phone has no mouse',
  'cursor: not-allowed': 'a phone has no mouse',
  outline: 'drawn with square corners',
  'font-family: ui-monospace': 'others follow it',
  'font-family: system-ui': 'others follow it',
}

const provided = readProvided()
const methods = readMethods()
const functions = readFunctions()
const { chunks, styles } = await buildApp()
/** By name, the places of each. */
const used = new Map<string, Set<string>>()
const trees = chunks.map(({ name, code }) => ({ name, nodes: [...nodesOf(parseAst(code) as unknown as Node)] }))
// A name that the screens give to what is theirs says nothing about the browser.
const own = new Set(trees.flatMap(({ nodes }) => nodes.flatMap(ownName)))
for (const { name, nodes } of trees) for (const found of namesIn(nodes)) note(found, name)
for (const css of [...styles, ...trees.flatMap(({ nodes }) => stylesIn(nodes))])
  for (const [found, place] of newInCss(css)) note(found, place)

const refused = [...used].filter(([found]) => !(found in ALLOWED))
for (const [found, places] of refused) console.log(`${found} is newer than Chrome 87, Firefox 91 or Safari 14: ${[...places].join(', ')}`)
for (const name of Object.keys(ALLOWED)) if (!used.has(name)) console.log(`${name} is allowed in tools/check-browsers.ts and used nowhere`)
if (refused.length > 0) console.log('Write it in older words, give it in web/lib/old-browsers.ts, or allow it here with the reason.')
process.exitCode = refused.length > 0 || Object.keys(ALLOWED).some((name) => !used.has(name)) ? 1 : 0

function note(found: string, place: string) {
  used.set(found, (used.get(found) ?? new Set()).add(place))
}

async function buildApp() {
  const { output } = (await build({
    configFile: join(ROOT, 'vite.config.ts'),
    logLevel: 'error',
    define: { __OLD_BROWSERS__: JSON.stringify(OLD) },
    build: { write: false, rolldownOptions: { external: [OLD] } },
  })) as Rolldown.RolldownOutput
  return {
    chunks: output.filter((file) => file.type === 'chunk'),
    styles: output.flatMap((file) => (file.type === 'asset' && file.fileName.endsWith('.css') ? [String(file.source)] : [])),
  }
}

/** What web/lib/old-browsers.ts gives: "Array.at", "AbortSignal.timeout". */
function readProvided(): ReadonlySet<string> {
  const code = readFileSync(join(ROOT, 'web/lib/old-browsers.ts'), 'utf8')
  const camel = (text: string) => text.replace(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase())
  const own = [...code.matchAll(/^(\w+)\.(\w+) \?\?=/gm)].map(([, of = '', name = '']) => `${of.toLowerCase()}.${name}`)
  const polyfills = [...code.matchAll(/'core-js\/actual\/([\w-]+)(?:\/([\w-]+))?'/g)].map(([, of = '', name]) =>
    name ? `${of}.${camel(name)}` : camel(of).toLowerCase(),
  )
  return new Set([...own, ...polyfills])
}

function isNew({ support }: CompatStatement): boolean {
  return Object.entries(PROMISED).some(([browser, version]) => {
    const said = support[browser as keyof typeof PROMISED]
    const plain = [said].flat().find((each) => each && !each.flags && !each.prefix && !each.alternative_name)
    const since = plain?.version_added
    return typeof since !== 'string' || !(Number.parseFloat(since.replace('≤', '')) <= version)
  })
}

type Node = { type: string } & Record<string, unknown>

/** Names of newer functions and objects in a script; a call behind a question (`a.b?.()`) is none in what the build makes of it. */
function* namesIn(nodes: readonly Node[]): Generator<string> {
  for (const node of nodes) {
    // A pattern that an old browser doesn't know becomes a call of RegExp with a template in the build.
    const text =
      node.type === 'TemplateElement' ? (node.value as { raw: string }).raw : node.type === 'Literal' ? (node.value ?? node.raw) : ''
    if (/\(\?<[=!]/.test(String(text))) yield 'lookbehind in a pattern'
    if (node.type !== 'CallExpression' && node.type !== 'NewExpression') continue
    const callee = node.callee as Node
    const { object, property, computed } = callee as { object?: Node; property?: Node; computed?: boolean }
    if (callee.type === 'Identifier' && isNewGlobal(String(callee.name))) yield String(callee.name)
    if (callee.type !== 'MemberExpression' || computed || !object) continue
    const name = String(property?.name)
    const of = object.type === 'Identifier' && /^[A-Z]\w{2}/.test(String(object.name)) ? String(object.name) : null
    if (of && namesOf(of) ? isNewMember(of, name) : methods.get(name) && !own.has(name)) yield of ? `${of}.${name}` : `.${name}()`
  }
}

/** The name that an object, a class or an assignment gives to a function of its own. */
function ownName(node: Node): string[] {
  const to = node.type === 'AssignmentExpression' ? (node.left as Node) : node
  const key =
    to.type === 'MemberExpression' && to !== node
      ? to.property
      : /^(?:Property|MethodDefinition|PropertyDefinition)$/.test(node.type)
        ? node.key
        : null
  const name = (key as Node | null)?.name
  return typeof name === 'string' ? [name] : []
}

function* nodesOf(node: Node): Generator<Node> {
  yield node
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value])
      if (child && typeof child === 'object' && typeof (child as Node).type === 'string') yield* nodesOf(child as Node)
}

function namesOf(of: string): Identifier | undefined {
  return compat.javascript.builtins?.[of] ?? compat.api[of]
}

function isNewMember(of: string, name: string): boolean {
  const said = namesOf(of)?.[name]?.__compat
  return said !== undefined && isNew(said) && !provided.has(`${of.toLowerCase()}.${name}`)
}

function isNewGlobal(name: string): boolean {
  const said = (namesOf(name) ?? compat.api[`${name}_function`] ?? compat.api.Window?.[name])?.__compat
  return said !== undefined && isNew(said) && !provided.has(name.toLowerCase())
}

/** Methods, and whether every object that has one has it since lately, and nothing gives it. */
function readMethods(): ReadonlyMap<string, boolean> {
  const found = new Map<string, boolean>()
  for (const kinds of [compat.javascript.builtins ?? {}, compat.api])
    for (const [of, members] of Object.entries(kinds as Record<string, Record<string, Identifier>>))
      for (const [member, { __compat: said }] of Object.entries(members))
        if (said) found.set(member, (found.get(member) ?? true) && isNew(said) && !provided.has(`${of.toLowerCase()}.${member}`))
  return found
}

/** Style sheets that a script holds as text. */
function stylesIn(nodes: readonly Node[]): string[] {
  return nodes.flatMap((node) => {
    const text = node.type === 'Literal' ? node.value : node.type === 'TemplateElement' ? (node.value as { cooked: string }).cooked : null
    return typeof text === 'string' && text.length > 200 && /^[^{}]*\{[\w-]+:[^{}]*\}/.test(text) ? [text] : []
  })
}

/** Newer at-rules, selectors, properties and values, but for values that have an older one before them in the same rule. */
function* newInCss(css: string): Generator<[name: string, place: string]> {
  yield* newIn(postcss.parse(css).nodes)
}

function* newIn(nodes: readonly ChildNode[]): Generator<[name: string, place: string]> {
  for (const node of nodes) {
    if (node.type === 'atrule') {
      // What stands behind a question is for those who answer it.
      if (node.name === 'supports') continue
      if (isNewCss(compat.css['at-rules']?.[node.name])) yield [`@${node.name}`, 'style']
      for (const [, feature = ''] of node.params.matchAll(/\(\s*([\w-]+)/g))
        if (node.name === 'media' && isNewCss(compat.css['at-rules']?.media?.[feature.replace(/^(?:min|max)-/, '')]))
          yield [`@media (${feature})`, 'style']
    }
    if (node.type === 'rule')
      for (const [, name = ''] of node.selector.matchAll(/(?<!\\)::?([a-z][a-z-]+)/g))
        if (isNewCss(compat.css.selectors?.[name])) yield [`:${name}`, node.selector]
    if (node.type === 'decl') yield* newInDeclaration(node)
    else if ('nodes' in node && node.nodes) yield* newIn(node.nodes)
  }
}

function* newInDeclaration(declaration: Declaration): Generator<[name: string, place: string]> {
  const { prop, value, parent } = declaration
  const known = compat.css.properties?.[prop]
  if (prop.startsWith('-') || hasPrefixed(declaration)) return
  if (isNewCss(known)) return yield [prop, selectorOf(declaration)]
  const words = [
    ...[...value.matchAll(/(?<![\w-])([a-z][a-z-]*)\(/g)].map(([, name = '']) => ({ name, said: functions.get(name) })),
    ...[...value.matchAll(/\d((?:[dsl]v|cq)(?:w|h|i|b|min|max)|cap|lh|rlh)(?![\w-])/g)].map(([, name = '']) => ({ name, said: true })),
    ...[...value.matchAll(/(?<![\w-.#"'])([a-z][a-z-]+)(?![\w-(])/g)].map(([, name = '']) => ({ name, said: isNewCss(known?.[name]) })),
  ]
  for (const { name, said } of words) {
    if (!said || hasOlder(parent, declaration, name)) continue
    yield [`${prop}: ${name}`, selectorOf(declaration)]
  }
}

function selectorOf({ parent }: Declaration): string {
  return parent && 'selector' in parent ? String(parent.selector) : ''
}

function hasPrefixed({ prop, parent }: Declaration): boolean {
  return (parent?.nodes ?? []).some((other) => other.type === 'decl' && other.prop === `-webkit-${prop}`)
}

function hasOlder(parent: Container | undefined | Declaration['parent'], { prop }: Declaration, word: string): boolean {
  return (parent?.nodes ?? []).some((other) => other.type === 'decl' && other.prop === prop && !other.value.includes(word))
}

function isNewCss(known: Identifier | undefined): boolean {
  return known?.__compat !== undefined && isNew(known.__compat)
}

/** Functions of values, and whether each is new wherever it is described. */
function readFunctions(): ReadonlyMap<string, boolean> {
  const found = new Map<string, boolean>()
  const walk = (known: Record<string, unknown>) => {
    for (const [name, each] of Object.entries(known)) {
      if (name === '__compat' || typeof each !== 'object' || each === null) continue
      const said = (each as Identifier).__compat
      if (said) found.set(name, (found.get(name) ?? true) && isNew(said))
      walk(each as Record<string, unknown>)
    }
  }
  walk(compat.css.types as unknown as Record<string, unknown>)
  return found
}
