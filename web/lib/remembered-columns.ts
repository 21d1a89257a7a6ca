import type { Answers } from '../../shared/readers/read-column.ts'
import type { Columns } from '../../shared/readers/read-table.ts'
import { session } from './session.ts'
import { createStored } from './stored.ts'

/** More forms of files, and questions about them, than anybody gets; the oldest goes. */
const MOST = 100
/** Longer questions have remarks in them, which don't come again. */
const LONGEST_QUESTION = 120

/** Headings, column numbers and answers alone, so they stay when somebody signs out. */
const kept = createStored<readonly { key: string; columns?: Columns<string>; value?: string }[]>(
  'importColumns',
  [],
  (all) => Array.isArray(all) && all.every((one) => typeof one?.key === 'string' && typeof (one.columns ?? {}) === 'object'),
)

function keyOf(kind: string, signature: string, question = ''): string {
  return `${session.get()?._id ?? ''} ${kind} ${signature}${question && ` ${question}`}`
}

/** The columns that this user chose for a file with the same headings; undefined where they never did. */
export function rememberedColumns<R extends string>(kind: string, signature: string): Columns<R> | undefined {
  return keptUnder(keyOf(kind, signature))?.columns as Columns<R> | undefined
}

/** What this user said of a question about a column of a file with the same headings. */
export function rememberedAnswer(kind: string, signature: string, question: string): string | undefined {
  return keptUnder(keyOf(kind, signature, question))?.value
}

/** Keeps what was chosen and said of a file; of one without headings nothing. */
export function remember(kind: string, signature: string, columns: Columns<string> | null, answers: Answers = {}): void {
  if (signature === '') return
  const lasting = Object.entries(answers).filter(([question]) => question.startsWith('column:') && question.length <= LONGEST_QUESTION)
  const said = lasting.map(([question, value]) => ({ key: keyOf(kind, signature, question), value }))
  const added = [...(columns ? [{ key: keyOf(kind, signature), columns }] : []), ...said]
  if (added.length > 0)
    kept.update((before) => [...before.filter(({ key }) => !added.some((one) => one.key === key)), ...added].slice(-MOST))
}

function keptUnder(wanted: string) {
  return kept.get().find(({ key }) => key === wanted)
}
