import { classNames } from '../../../../ui/class-names.ts'
import { networkClass } from '../../../../ui/network-art.tsx'

export type MarkState = 'wrong' | 'doubtful' | 'sent' | 'pending' | 'ready' | 'completed'
export type Mark = { network: string | null; state: MarkState }

const MOST_MARKS = 60
/** What needs somebody first; a mark that stands for several lines shows the worst. */
const WORST_FIRST: readonly MarkState[] = ['wrong', 'doubtful', 'pending', 'sent', 'ready', 'completed']

/** The book of tickets: a mark for each line, or for several where there are many. */
export function MarkStrip({ marks, label, className }: { marks: readonly Mark[]; label: string; className?: string }) {
  return (
    <div
      role="img"
      aria-label={label}
      className={classNames('flex h-9.5 items-start', marks.length > 30 ? 'gap-[1.5px]' : 'gap-0.75', className)}
    >
      {gatherMarks(marks, MOST_MARKS).map(({ network, state }, index) => (
        <i
          // biome-ignore lint/suspicious/noArrayIndexKey: a mark is its place in the row.
          key={index}
          className={classNames(
            'mark',
            marks.length < 20 && 'max-w-6',
            state !== 'pending' && `mark-${state}`,
            networkClass(network ?? ''),
          )}
        />
      ))}
    </div>
  )
}

/** At most `most` marks in the order of the lines, each the worst of those that it stands for. */
export function gatherMarks(marks: readonly Mark[], most: number): Mark[] {
  if (marks.length <= most) return [...marks]
  return Array.from({ length: most }, (_, at) => {
    const from = Math.floor((at * marks.length) / most)
    const to = Math.floor(((at + 1) * marks.length) / most)
    return marks.slice(from, to).reduce((worst, mark) => (rankOf(mark) < rankOf(worst) ? mark : worst))
  })
}

function rankOf({ state }: Mark): number {
  return WORST_FIRST.indexOf(state)
}

/** The mark of a line that was paid for. */
export function toMark({ network, status }: { network: string; status: 'pending' | 'completed' | 'rejected' }): Mark {
  return { network, state: status === 'rejected' ? 'wrong' : status === 'completed' ? 'completed' : 'sent' }
}
