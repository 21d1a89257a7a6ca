import { useMemo, useState } from 'react'
import type { Question } from '../../shared/readers/read-column.ts'
import { type Columns, type HeadingWords, readTable, type Table } from '../../shared/readers/read-table.ts'
import type { Sheet } from '../../shared/readers/sheets.ts'
import { rememberAnswer, rememberColumns, rememberedAnswer, rememberedColumns } from './remembered-columns.ts'

/** Of two columns that may be one of these a person says which it is. Two names of a person decide nothing. */
const DECIDING: ReadonlySet<string> = new Set(
  'transactionId at amount in out direction status type balance number size quantity network state'.split(' '),
)

export type Answered = { question: Question; value: string }
type Guess<R extends string> = (table: Table<R>) => { columns: Columns<R>; isSure: boolean }

/**
 * A file's table with its columns and what its reader said about it. Columns that this user chose before for the same headings go before
 * `guess`, and those before the known headings.
 */
export function useTableImport<R extends string>(kind: string, words: HeadingWords<R>, sheets: readonly Sheet[], guess?: Guess<R>) {
  const [sheet, setSheet] = useState<string | undefined>(undefined)
  const [chosen, setChosen] = useState<Columns<R> | null>(null)
  const [answered, setAnswered] = useState<readonly Answered[]>([])
  const table = useMemo(() => readTable(sheets, words, sheet), [sheets, words, sheet])
  const known = useMemo(() => {
    const remembered = rememberedColumns<R>(kind, table.signature)
    return remembered
      ? { columns: remembered, isSure: true }
      : (guess?.(table) ?? { columns: table.columns, isSure: !table.contested.some((role) => DECIDING.has(role)) })
  }, [kind, table, guess])
  const answers = useMemo(() => Object.fromEntries(answered.map(({ question, value }) => [question.key, value])), [answered])
  return {
    table,
    columns: chosen ?? known.columns,
    /** False where the columns are a guess that somebody has to look at. */
    isSure: chosen !== null || known.isSure,
    answers,
    answered,
    answer: (question: Question, value: string) =>
      setAnswered((before) => [...before.filter((one) => one.question.key !== question.key), { question, value }]),
    chooseColumns: setChosen,
    chooseSheet: (name: string) => {
      setSheet(name)
      setChosen(null)
    },
    /** What was said before of a question about this form of file. */
    remembered: ({ key }: Question) => rememberedAnswer(kind, table.signature, key),
    /** Keeps columns that were chosen by hand, and what was said of others, for the next file of this form. */
    remember: () => {
      for (const { question, value } of answered) rememberAnswer(kind, table.signature, question.key, value)
      if (chosen) rememberColumns(kind, table.signature, chosen)
    },
  }
}
export type TableImport<R extends string> = ReturnType<typeof useTableImport<R>>
