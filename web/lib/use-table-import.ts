import { useMemo, useState } from 'react'
import type { Answers, Question, Reply } from '../../shared/readers/read-column.ts'
import { type Columns, type HeadingWords, readTable, type Table, type TableRows } from '../../shared/readers/read-table.ts'
import type { Sheet } from '../../shared/readers/sheets.ts'
import { remember, rememberedAnswer, rememberedColumns } from './remembered-columns.ts'

/** Of two columns that may be one of these a person says which it is. Two names of a person decide nothing. */
const DECIDING: ReadonlySet<string> = new Set(
  'transactionId at amount in out direction status type balance number size quantity network state'.split(' '),
)

/** A kind of file: its headings, what reads it, and what else tells its columns. Outside of components, so that it stays the same. */
export type FileKind<R extends string, T extends Reply<R>> = {
  name: string
  words: HeadingWords<R>
  read: (table: TableRows<R>, answers: Answers) => T
  guess?: (table: Table<R>) => { columns: Columns<R>; isSure: boolean }
}

/**
 * A file's table with its columns and what its reader said about it. Columns that this user chose before for the same headings go before
 * the kind's guess, and those before the known headings.
 */
export function useTableImport<R extends string, T extends Reply<R>>(kind: FileKind<R, T>, sheets: readonly Sheet[]) {
  const [sheet, setSheet] = useState<string | undefined>(undefined)
  const [chosen, setChosen] = useState<Columns<R> | null>(null)
  const [answered, setAnswered] = useState<readonly { question: Question; value: string }[]>([])
  const table = useMemo(() => readTable(sheets, kind.words, sheet), [sheets, kind, sheet])
  const known = useMemo(() => {
    const remembered = rememberedColumns<R>(kind.name, table.signature)
    return remembered
      ? { columns: remembered, isSure: true }
      : (kind.guess?.(table) ?? { columns: table.columns, isSure: !table.contested.some((role) => DECIDING.has(role)) })
  }, [kind, table])
  const columns = chosen ?? known.columns
  const answers = useMemo(() => Object.fromEntries(answered.map(({ question, value }) => [question.key, value])), [answered])
  const read = useMemo(() => kind.read({ ...table, columns }, answers), [kind, table, columns, answers])
  const isSure = chosen !== null || known.isSure
  return {
    ...{ words: kind.words, table, columns, read, answers, answered },
    /** The columns are a guess, or not enough: somebody has to look at them. */
    mustChoose: !isSure || read.missing.length > 0,
    answer: (question: Question, value: string) =>
      setAnswered((before) => [...before.filter((one) => one.question.key !== question.key), { question, value }]),
    chooseColumns: setChosen,
    chooseSheet: (name: string) => {
      setSheet(name)
      setChosen(null)
    },
    /** What was said before of a question about this form of file. */
    remembered: ({ key }: Question) => rememberedAnswer(kind.name, table.signature, key),
    /** Keeps columns that were chosen by hand, and what was said of others, for the next file of this form. */
    remember: () => remember(kind.name, table.signature, chosen, answers),
  }
}
export type TableImport<R extends string, T extends Reply<R> = Reply<R>> = ReturnType<typeof useTableImport<R, T>>
