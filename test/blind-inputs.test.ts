import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { formatPesewas } from '../shared/money.ts'
import { CHECKER_WORDS, STATEMENT_WORDS } from '../shared/readers/heading-words.ts'
import { checkerColumns, readCheckers, readCheckerText } from '../shared/readers/read-checkers.ts'
import { readStatement } from '../shared/readers/read-statement.ts'
import { readTable } from '../shared/readers/read-table.ts'
import { readText } from '../shared/readers/sheets.ts'

/** What somebody wrote who had not seen the code, and all that is read of it without a question. Everything else in it is asked about or left out. */
type Written = { id: string; door: 'statement' | 'result' | 'checkers' | 'message'; text: string; sure: string[] }
const WRITTEN: Written[] = JSON.parse(readFileSync(new URL('fixtures/blind-inputs.json', import.meta.url), 'utf8'))
const TODAY = new Date('2026-11-28T12:00:00Z')

/** What each door takes without asking. */
const DOORS: Record<Written['door'], (text: string) => string[]> = {
  statement: (text) => {
    const table = readTable([readText('statement', text)], STATEMENT_WORDS)
    if (table.contested.includes('amount')) return []
    const sure = readStatement(table, {}, TODAY).lines.filter(({ kind, reasons }) => kind === 'in' && reasons.length === 0)
    return [...new Set(sure.map(({ transactionId, amountPesewas }) => `${transactionId} ¢${formatPesewas(amountPesewas ?? 0)}`))]
  },
  result: () => [],
  checkers: (text) => {
    const source = readCheckerText('checkers', text)
    const table = readTable(source.sheets ?? [], CHECKER_WORDS)
    const { columns, isSure } = checkerColumns(table)
    if (!source.lines && !isSure) return []
    const { lines } = readCheckers(source, { ...table, columns }, {}, 'bece')
    return lines.filter(({ problem }) => problem === null).map(({ serial, pin }) => `${serial}/${pin}`)
  },
  message: () => [],
}

test.each(WRITTEN)('$id: $door', ({ door, text, sure }) => {
  expect(DOORS[door](text)).toEqual(sure)
})
