import { classNames } from '../class-names.ts'

/** How many wait, beside a name. `quiet` where another mark already counts the same. */
export function CountMark({ count, word, quiet }: { count: number; word: string; quiet?: boolean }) {
  if (count === 0) return null
  return (
    <span
      className={classNames(
        'tabular inline-grid h-[1.5em] min-w-[1.6em] place-items-center rounded-full px-1.25 text-[min(0.75rem,4vw)] leading-none font-bold',
        quiet ? 'bg-sunken text-muted' : 'bg-pending-mark text-[#1a1300]',
      )}
    >
      {/* What is only heard would widen the page from the end of a row that is moved sideways. */}
      <span className="relative">
        {count > 999 ? '999+' : count}
        <span className="sr-only"> {word}</span>
      </span>
    </span>
  )
}
