import type { Answers } from '../../shared/readers/read-column.ts'
import type { Columns } from '../../shared/readers/read-table.ts'
import { session } from './session.ts'
import { createStored } from './stored.ts'

/** More forms of files than anybody gets; the oldest goes. */
const MOST = 100
/** Longer questions have remarks in them, which don't come again. */
const LONGEST_QUESTION = 120

const storedUnder = <T>(name: string, isValid: (value: unknown) => boolean) =>
  createStored<readonly ({ key: string } & T)[]>(
    name,
    [],
    (all) => Array.isArray(all) && all.every((one) => typeof one?.key === 'string' && isValid(one)),
  )
/** Headings and column numbers alone, so they stay when somebody signs out. */
const chosen = storedUnder<{ columns: Columns<string> }>(
  'importColumns',
  (one) => typeof (one as { columns: unknown }).columns === 'object',
)
/** What was said of columns without a use, by the key of the question, which has their words in it. */
const answered = storedUnder<{ value: string }>('importAnswers', (one) => typeof (one as { value: unknown }).value === 'string')

function keyOf(kind: string, signature: string, question = ''): string {
  return `${session.get()?._id ?? ''} ${kind} ${signature}${question && ` ${question}`}`
}

/** The columns that this user chose for a file with the same headings; undefined where they never did. */
export function rememberedColumns<R extends string>(kind: string, signature: string): Columns<R> | undefined {
  return chosen.get().find(({ key }) => key === keyOf(kind, signature))?.columns as Columns<R> | undefined
}

/** What this user said of a question about a column of a file with the same headings. */
export function rememberedAnswer(kind: string, signature: string, question: string): string | undefined {
  return answered.get().find(({ key }) => key === keyOf(kind, signature, question))?.value
}

/** Keeps what was chosen and said of a file; of one without headings nothing. */
export function remember(kind: string, signature: string, columns: Columns<string> | null, answers: Answers = {}): void {
  if (signature === '') return
  const lasting = Object.entries(answers).filter(([question]) => question.startsWith('column:') && question.length <= LONGEST_QUESTION)
  const said = lasting.map(([question, value]) => ({ key: keyOf(kind, signature, question), value }))
  if (columns) chosen.update((before) => withNewest(before, [{ key: keyOf(kind, signature), columns }]))
  if (said.length > 0) answered.update((before) => withNewest(before, said))
}

function withNewest<T extends { key: string }>(before: readonly T[], added: readonly T[]): readonly T[] {
  return [...before.filter(({ key }) => !added.some((one) => one.key === key)), ...added].slice(-MOST)
}
