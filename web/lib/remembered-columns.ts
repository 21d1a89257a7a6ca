import type { Columns } from '../../shared/readers/read-table.ts'
import { session } from './session.ts'
import { createStored } from './stored.ts'

/** More forms of files than anybody gets; the oldest goes. */
const MOST = 100

type Remembered = readonly { key: string; columns: Columns<string> }[]

/** Headings and column numbers alone, so they stay when somebody signs out. */
const stored = createStored<Remembered>(
  'importColumns',
  [],
  (value) => Array.isArray(value) && value.every((one) => typeof one?.key === 'string' && typeof one.columns === 'object'),
)

/** What was said of columns without a use, by the key of the question, which has their words in it. */
const answered = createStored<readonly { key: string; value: string }[]>(
  'importAnswers',
  [],
  (value) => Array.isArray(value) && value.every((one) => typeof one?.key === 'string' && typeof one.value === 'string'),
)
/** Longer ones have remarks in them, which don't come again. */
const LONGEST_QUESTION = 120

function keyOf(kind: string, signature: string): string {
  return `${session.get()?._id ?? ''} ${kind} ${signature}`
}

/** The columns that this user chose for a file with the same headings; undefined where they never did. */
export function rememberedColumns<R extends string>(kind: string, signature: string): Columns<R> | undefined {
  const key = keyOf(kind, signature)
  return signature === '' ? undefined : (stored.get().find((one) => one.key === key)?.columns as Columns<R> | undefined)
}

export function rememberColumns(kind: string, signature: string, columns: Columns<string>): void {
  if (signature === '') return
  const key = keyOf(kind, signature)
  stored.update((before) => [...before.filter((one) => one.key !== key), { key, columns }].slice(-MOST))
}

/** What this user said of a question about a column of a file with the same headings. */
export function rememberedAnswer(kind: string, signature: string, question: string): string | undefined {
  const key = `${keyOf(kind, signature)} ${question}`
  return answered.get().find((one) => one.key === key)?.value
}

export function rememberAnswer(kind: string, signature: string, question: string, value: string): void {
  if (signature === '' || !question.startsWith('column:') || question.length > LONGEST_QUESTION) return
  const key = `${keyOf(kind, signature)} ${question}`
  answered.update((before) => [...before.filter((one) => one.key !== key), { key, value }].slice(-MOST))
}
