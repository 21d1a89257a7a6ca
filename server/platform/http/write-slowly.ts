import { setImmediate } from 'node:timers/promises'

/** So long others may wait for a piece of what is made beside them. */
const SLICE_MS = 8

/** Lets others have their turn when a slice of time is over; call it between pieces. */
export function pauser(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < SLICE_MS) return
    await setImmediate()
    since = performance.now()
  }
}

export async function joined(pieces: Iterable<string>): Promise<string[]> {
  const pause = pauser()
  const all: string[] = []
  for (const piece of pieces) {
    all.push(piece)
    await pause()
  }
  return all
}

const isEmpty = (value: object) => Object.keys(value).length === 0

/** As `JSON.stringify`, in pieces. */
export function* writeJson(value: unknown): Iterable<string> {
  yield* writeFlow(value, 3)
}

/** Pieces down to that depth; what is deeper is small. */
function* writeFlow(value: unknown, depth: number): Iterable<string> {
  if (depth === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) return yield JSON.stringify(value)
  yield '{'
  let between = ''
  for (const [key, one] of Object.entries(value)) {
    if (one === undefined) continue
    yield `${between}${JSON.stringify(key)}:`
    yield* writeFlow(one, depth - 1)
    between = ','
  }
  yield '}'
}

/** YAML 1.2 in blocks, whose texts stand in quotes as in JSON. `value`: what JSON can say. */
export function* writeYaml(value: unknown, indent = ''): Iterable<string> {
  if (typeof value !== 'object' || value === null || isEmpty(value)) return yield `${JSON.stringify(value)}\n`
  if (indent !== '') yield '\n'
  const isList = Array.isArray(value)
  for (const [key, one] of Object.entries(value)) {
    if (one === undefined) continue
    yield `${indent}${isList ? '-' : `${JSON.stringify(key)}:`} `
    yield* writeYaml(one, `${indent}  `)
  }
}
