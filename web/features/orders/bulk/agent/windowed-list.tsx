import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useLetterSize } from './use-letter-size.ts'

type Props<Row> = {
  rows: readonly Row[]
  /** In pixels with letters of the usual size, larger with larger ones; every row has it. */
  rowHeight: number
  label: string
  rowKey: (row: Row) => number | string
  className?: string
  children: (row: Row) => ReactNode
}

const AROUND = 12

/** A list of thousands of rows of one height that scrolls with the page: only those near the screen are drawn. */
export function WindowedList<Row>({ rows, rowHeight: usualHeight, label, rowKey, className, children }: Props<Row>) {
  const list = useRef<HTMLOListElement>(null)
  const letters = useLetterSize()
  // What no longer fits beside the rest goes below it.
  const rowHeight = Math.round(usualHeight * letters * (letters > 1.3 ? 2.6 : 1))
  const [[first, last], setSeen] = useState<readonly [number, number]>([0, 40])
  useEffect(() => {
    let frame = 0
    const look = () => {
      frame = 0
      const top = list.current?.getBoundingClientRect().top ?? 0
      const from = Math.max(0, Math.floor(-top / rowHeight) - AROUND)
      const to = Math.ceil((window.innerHeight - top) / rowHeight) + AROUND
      // In steps, so that most scrolling changes nothing.
      setSeen(([a, b]) => (from >= a && to <= b && b - a < (to - from) * 3 ? [a, b] : [Math.max(0, from - AROUND), to + AROUND]))
    }
    const lookSoon = () => {
      frame ||= requestAnimationFrame(look)
    }
    look()
    window.addEventListener('scroll', lookSoon, { passive: true })
    window.addEventListener('resize', lookSoon)
    return () => {
      cancelAnimationFrame(frame)
      window.removeEventListener('scroll', lookSoon)
      window.removeEventListener('resize', lookSoon)
    }
  }, [rowHeight])
  return (
    <ol ref={list} aria-label={label} className={className} style={{ height: rows.length * rowHeight, position: 'relative' }}>
      {rows.slice(first, last).map((row, index) => (
        <li
          key={rowKey(row)}
          aria-setsize={rows.length}
          aria-posinset={first + index + 1}
          style={{ position: 'absolute', top: (first + index) * rowHeight, height: rowHeight, left: 0, right: 0 }}
        >
          {children(row)}
        </li>
      ))}
    </ol>
  )
}
