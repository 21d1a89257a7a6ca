import { type ReactNode, useId } from 'react'
import { formatCedis } from '../../../../../shared/money.ts'
import type { Stats } from '../../../../../shared/stats.ts'
import { counted } from '../../../../lib/admin/words.ts'
import { useMediaQuery } from '../../../../lib/use-media-query.ts'
import { classNames } from '../../../../ui/class-names.ts'
import { Money } from '../../../../ui/money.tsx'
import { networkClass } from '../../../../ui/network-art.tsx'
import { NetworkBadge } from '../../../../ui/network-badge.tsx'
import { Card } from '../../../../ui/page.tsx'
import { dayName, shortNumber, topOfScale } from './top-of-scale.ts'

/** The chart scales to its container; on a phone it is drawn narrower, so that its labels stay readable. */
const WIDTH = 600
const NARROW_WIDTH = 320
const HEIGHT = 180
const LEFT = 40
const BOTTOM = 22
const TOP = 8

export function SalesCharts({ stats }: { stats: Stats }) {
  return (
    <>
      <SalesPerDay days={stats.salesPerDay} />
      <SalesPerNetwork networks={stats.salesPerNetwork} />
    </>
  )
}

/** A bar for each of the last days, today last. */
function SalesPerDay({ days }: { days: Stats['salesPerDay'] }) {
  const width = useMediaQuery('(min-width: 40rem)') ? WIDTH : NARROW_WIDTH
  const top = topOfScale(days.map((day) => day.value))
  const total = days.reduce((sum, day) => sum + Math.round(day.value * 100), 0) / 100
  const step = (width - LEFT) / Math.max(days.length, 1)
  const y = (value: number) => HEIGHT - BOTTOM - (value / top) * (HEIGHT - BOTTOM - TOP)
  return (
    <Chart title="Sales per day" remark={`The last ${counted(days.length, 'day')}: ¢${formatCedis(total)}`}>
      <svg
        viewBox={`0 0 ${width} ${HEIGHT}`}
        className="block w-full"
        role="img"
        aria-label={`Sales of the last ${days.length} days, ¢${formatCedis(total)} in all; the table below has the figures`}
      >
        {[0, top / 2, top].map((value) => (
          <g key={value}>
            <line x1={LEFT} x2={width} y1={y(value)} y2={y(value)} className="stroke-line" strokeWidth="1" />
            <text x={LEFT - 6} y={y(value) + 4} textAnchor="end" className="fill-muted text-[13px]">
              {shortNumber(value)}
            </text>
          </g>
        ))}
        {days.map((day, index) => {
          const height = HEIGHT - BOTTOM - y(day.value)
          return (
            <g key={day.date}>
              <title>{`${dayName(day.date)}: ¢${formatCedis(day.value)}, ${counted(day.count, 'order')}`}</title>
              <rect
                x={LEFT + index * step}
                y={TOP}
                width={step}
                height={HEIGHT - TOP - BOTTOM}
                className="fill-transparent hover:fill-sunken"
              />
              {day.value > 0 && (
                <rect
                  x={LEFT + index * step + step * 0.15}
                  y={HEIGHT - BOTTOM - Math.max(height, 2)}
                  width={step * 0.7}
                  height={Math.max(height, 2)}
                  rx="2"
                  className="pointer-events-none fill-brand"
                />
              )}
              {(days.length - 1 - index) % 7 === 0 && (
                <text
                  x={LEFT + (index + 0.5) * step}
                  y={HEIGHT - 5}
                  textAnchor={index === days.length - 1 ? 'end' : 'middle'}
                  dx={index === days.length - 1 ? step / 2 : 0}
                  className="fill-muted text-[13px]"
                >
                  {dayName(day.date)}
                </text>
              )}
            </g>
          )
        })}
      </svg>
      <Figures
        head={['Day', 'Delivered', 'Sales']}
        rows={days.toReversed().map((day) => ({ key: day.date, name: dayName(day.date), count: day.count, value: day.value }))}
      />
    </Chart>
  )
}

/** A bar for each network that sold anything this month. */
function SalesPerNetwork({ networks }: { networks: Stats['salesPerNetwork'] }) {
  const greatest = Math.max(...networks.map((one) => one.value), 0.01)
  return (
    <Chart title="Sales per network" remark="This month">
      {networks.length === 0 ? (
        <p className="py-4 text-muted">Nothing delivered this month yet.</p>
      ) : (
        <ul className="flex flex-col gap-3 pt-1">
          {networks.map((one) => (
            <li key={one.network}>
              <div className="flex flex-wrap items-baseline justify-between gap-x-3">
                <NetworkBadge network={one.network} />
                <span className="text-right">
                  <span className="tabular mr-3 text-small text-muted">{counted(one.count, 'order')}</span>
                  <Money cedis={one.value} />
                </span>
              </div>
              <svg viewBox="0 0 100 2" preserveAspectRatio="none" className="mt-1.5 block h-2 w-full" aria-hidden="true">
                <rect width="100" height="2" className="fill-sunken" />
                <rect
                  width={Math.max((one.value / greatest) * 100, 0.5)}
                  height="2"
                  className={classNames('fill-net', networkClass(one.network))}
                />
              </svg>
            </li>
          ))}
        </ul>
      )}
    </Chart>
  )
}

/** The networks' colours as fills; the badge beside the bar names them. */
function Chart({ title, remark, children }: { title: string; remark: string; children: ReactNode }) {
  const id = useId()
  return (
    <Card className="p-4">
      <section aria-labelledby={id}>
        <div className="flex flex-wrap items-baseline justify-between gap-x-4 pb-3">
          <h2 id={id} className="text-title">
            {title}
          </h2>
          <p className="tabular text-small text-muted">{remark}</p>
        </div>
        {children}
      </section>
    </Card>
  )
}

type Figure = { key: string; name: string; count: number; value: number }

/** The same figures as a table, for screen readers and exact values. */
function Figures({ head, rows }: { head: readonly [string, string, string]; rows: readonly Figure[] }) {
  return (
    <details className="pt-2">
      <summary className="inline-flex min-h-11 cursor-pointer items-center text-small font-semibold text-brand-text">
        Show the figures
      </summary>
      <div className="max-h-72 overflow-auto">
        <table className="w-full text-left text-small">
          <thead>
            <tr className="text-muted">
              {head.map((name, index) => (
                <th key={name} scope="col" className={classNames('py-1 font-semibold', index > 0 && 'text-right')}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.key} className="border-t border-line">
                <td className="py-1">{row.name}</td>
                <td className="tabular py-1 text-right">{row.count}</td>
                <td className="py-1 text-right">
                  <Money cedis={row.value} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}
