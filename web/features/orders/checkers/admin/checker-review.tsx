import { useEffect, useMemo, useState } from 'react'
import { MAX_CHECKER_LINES } from '../../../../../shared/checker-rules.ts'
import type { CheckerLineState } from '../../../../../shared/checkers.ts'
import { CHECKER_WORDS, type CheckerRole } from '../../../../../shared/readers/heading-words.ts'
import { pesewasIn } from '../../../../../shared/readers/read-amount.ts'
import {
  type CheckerLine,
  type CheckerSource,
  checkerColumns,
  maskSecrets,
  readCheckers,
} from '../../../../../shared/readers/read-checkers.ts'
import type { Sheet } from '../../../../../shared/readers/sheets.ts'
import { call } from '../../../../lib/api.ts'
import { messageOf } from '../../../../lib/http.ts'
import { type FileKind, useTableImport } from '../../../../lib/use-table-import.ts'
import { ImportReview } from '../../../../ui/import-review.tsx'
import { LineList, type SeenLine } from './line-list.tsx'

/** Lines that the shop has looked at. `remember` keeps the columns for the next file of this form. */
export type Checked = { lines: readonly SeenLine[]; asWritten: boolean; remember: () => void }

type Props = {
  source: CheckerSource
  kind: string
  unitCost: string
  onChecked: (checked: Checked | null) => void
  onProblem: (problem: string | null) => void
}

const NO_SHEETS: readonly Sheet[] = []
const NO_LINES: readonly CheckerLine[] = []

/** What a distributor's file says, which of it can go into the stock, and what has to be asked first. */
export function CheckerReview({ source, kind, unitCost, onChecked, onProblem }: Props) {
  const file = useMemo<FileKind<CheckerRole, ReturnType<typeof readCheckers>>>(
    () => ({
      ...{ name: 'checkers', words: CHECKER_WORDS, read: (table, answers) => readCheckers(source, table, answers, kind) },
      ...(source.sheets && { guess: checkerColumns }),
    }),
    [source, kind],
  )
  const from = useTableImport(file, source.sheets ?? NO_SHEETS)
  const asWritten = from.answers['asWritten'] === 'yes'
  const lines = from.mustChoose ? NO_LINES : from.read.lines
  const tooMany = lines.length > MAX_CHECKER_LINES
  const [seen, setSeen] = useState<readonly SeenLine[]>([])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the callbacks are the dialog's setters, and `from` is new each time.
  useEffect(() => {
    let isCurrent = true
    setSeen([])
    onChecked(null)
    onProblem(
      tooMany ? `At most ${MAX_CHECKER_LINES.toLocaleString('en')} lines at once: this has ${lines.length.toLocaleString('en')}.` : null,
    )
    if (lines.length === 0 || tooMany) return undefined
    askShop(kind, lines, asWritten)
      .then((answer) => {
        if (!isCurrent) return
        setSeen(answer)
        onChecked({ lines: answer, asWritten, remember: from.remember })
      })
      .catch((error: unknown) => isCurrent && onProblem(messageOf(error)))
    return () => {
      isCurrent = false
    }
  }, [kind, lines, asWritten])

  const good = seen.filter(({ state }) => state === 'good').length
  const cost = pesewasIn(unitCost)
  const wrong = seen.filter(({ state }) => state === 'malformed')
  return (
    <ImportReview
      counts={[
        { label: 'Good', count: good, tone: 'done', ...(cost !== null && cost > 0 && { cedis: (cost * good) / 100 }) },
        { label: 'Twice', count: seen.filter(({ state }) => state === 'twice').length },
        { label: 'In stock or sold', count: seen.filter(({ state }) => state === 'in-stock' || state === 'sold').length },
      ]}
      doubtful={wrong.map(({ line, text, why }) => ({ line, text, reason: why ?? '' }))}
      from={from}
      show={maskSecrets}
    >
      {seen.length > 0 && <LineList lines={seen} />}
    </ImportReview>
  )
}

/** Lines that can't be right are not sent; of the others the server says whether it has them. */
async function askShop(kind: string, read: readonly CheckerLine[], asWritten: boolean): Promise<SeenLine[]> {
  const sent = read.filter(({ problem, isAskable }) => problem === null || (isAskable && asWritten))
  const body = { kind, lines: sent.map(({ serial, pin }) => ({ serial, pin })), asWritten }
  const reply: CheckerLineState[] = sent.length === 0 ? [] : (await call('POST /admin/checkers/check', { body })).lines
  const verdicts = new Map(sent.map((line, at) => [line, reply[at]]))
  return read.map((line) => {
    const verdict = verdicts.get(line)
    return { ...line, state: verdict?.state ?? 'malformed', why: verdict ? verdict.problem : line.problem }
  })
}
