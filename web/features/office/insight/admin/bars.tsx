import { useMediaQuery } from '../../../../lib/use-media-query.ts'
import { classNames } from '../../../../ui/class-names.ts'
import { shortNumber, topOfScale } from '../../stats/admin/top-of-scale.ts'

export type Bar = {
  key: string
  /** Below the bar; empty for most of a month's days. */
  label: string
  title: string
  value: number
  before: number | null
  /** A second line below, such as the profit. */
  note?: string
  when: 'past' | 'now' | 'next'
}

const [WIDE, NARROW] = [700, 340]
const LEFT = 36
const TOP = 10
const LINE = 15

/** Bars side by side with what was before them. Narrower on a phone, so that its words can be read; a table below says the same. */
export function Bars({ bars, label, noteName }: { bars: readonly Bar[]; label: string; noteName?: string }) {
  const isWide = useMediaQuery('(min-width: 48rem)')
  const width = isWide ? WIDE : NARROW
  const plot = isWide ? 210 : 160
  const hasNotes = bars.some(({ note }) => note !== undefined)
  const height = plot + TOP + 6 + LINE * (hasNotes ? 3 : 1)
  const top = topOfScale(bars.flatMap(({ value, before }) => [value, before ?? 0]))
  const y = (value: number) => TOP + plot - (Math.max(0, value) / top) * plot
  const step = (width - LEFT) / Math.max(1, bars.length)
  return (
    <svg viewBox={`0 0 ${width} ${height}`} className="block w-full" role="img" aria-label={label}>
      {[top / 2, top].map((value) => (
        <g key={value}>
          <line x1={LEFT} x2={width} y1={y(value)} y2={y(value)} className="stroke-line" />
          <text x={0} y={y(value) + 4} className="fill-muted text-[11px]">
            {shortNumber(value)}
          </text>
        </g>
      ))}
      {hasNotes && noteName && (
        <text x={0} y={TOP + plot + 3 * LINE} className="fill-muted text-[11px]">
          {noteName}
        </text>
      )}
      {bars.map(({ key, label: below, title, value, before, note, when }, index) => {
        const x = LEFT + index * step
        return (
          <g key={key}>
            <title>{title}</title>
            <rect x={x} y={TOP} width={step} height={plot} className="fill-transparent" />
            {before !== null && before > 0 && (
              <rect
                x={x + step * 0.1}
                y={y(before)}
                width={step * 0.38}
                height={TOP + plot - y(before)}
                rx="2"
                className="fill-line-strong opacity-40"
              />
            )}
            {value > 0 && (
              <rect
                x={x + step * (before === null ? 0.15 : 0.32)}
                y={Math.min(y(value), TOP + plot - 2)}
                width={step * (before === null ? 0.7 : 0.56)}
                height={Math.max(2, TOP + plot - y(value))}
                rx="2"
                className={classNames(when === 'now' ? 'fill-pending-mark' : 'fill-brand')}
              />
            )}
            <text x={x + step / 2} y={TOP + plot + LINE} textAnchor="middle" className="fill-ink text-[12px]">
              {below}
            </text>
            {hasNotes && when !== 'next' && (
              <>
                <text x={x + step / 2} y={TOP + plot + 2 * LINE} textAnchor="middle" className="fill-muted text-[11px]">
                  {shortNumber(value)}
                </text>
                <text x={x + step / 2} y={TOP + plot + 3 * LINE} textAnchor="middle" className="fill-done text-[11px] font-semibold">
                  {note}
                </text>
              </>
            )}
          </g>
        )
      })}
      <line x1={LEFT} x2={width} y1={TOP + plot} y2={TOP + plot} className="stroke-ink" />
    </svg>
  )
}
