import { Check, ClipboardPaste, TriangleAlert, X } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { toOwnLines } from '../../../../../shared/bulk-line.ts'
import { bulkTexts } from '../../../../texts/bulk.ts'
import { IconButton } from '../../../../ui/button.tsx'
import { classNames } from '../../../../ui/class-names.ts'
import { useLetterSize } from './use-letter-size.ts'

export type PadReading = { tone: 'ready' | 'doubtful' | 'wrong' | 'skipped' | 'empty'; text: string }

/** `at` takes a line's place, from 0. */
export type PadReadings = { count: number; at: (row: number) => PadReading }

type Props = {
  value: string
  onValue: (text: string) => void
  /** What each line was understood as, in the order of the lines. */
  readings: PadReadings
  onPaste?: () => void
  disabled?: boolean
}

/** In rem, so that a line is as high as its letters want it. */
const ROW_REM = 2.875
const AROUND = 8

/** A field for thousands of lines, in which what was read stands at each line that was typed. Only the lines in view are drawn. */
export function PastePad({ value, onValue, readings, onPaste, disabled = false }: Props) {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [{ top, height }, setView] = useState({ top: 0, height: 600 })
  const [caretLine, setCaretLine] = useState(-1)
  const letters = useLetterSize()
  const row = ROW_REM * 16 * letters

  const look = useCallback(() => {
    const { current } = field
    if (current) setView({ top: current.scrollTop, height: current.clientHeight })
  }, [])
  const lookAtCaret = () => {
    const { current } = field
    if (!current || document.activeElement !== current) setCaretLine(-1)
    else setCaretLine(countLines(current.value, current.selectionStart) - 1)
  }
  useEffect(() => {
    const { current } = field
    if (!current) return
    const observer = new ResizeObserver(look)
    observer.observe(current)
    return () => observer.disconnect()
  }, [look])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text may have moved the field.
  useLayoutEffect(look, [value])

  const rows = Math.max(1, readings.count)
  const first = Math.max(0, Math.floor(top / row) - AROUND)
  const last = Math.min(rows, Math.ceil((top + height) / row) + AROUND)
  const shown = Array.from({ length: last - first }, (_, index) => first + index)
  return (
    <div className="overflow-hidden rounded-box border border-line-strong bg-surface focus-within:border-brand-text">
      <div className="flex min-h-12 items-center justify-between border-b border-line bg-sunken py-0.5 pr-1 pl-3">
        <label htmlFor={id} className="text-body font-semibold">
          {bulkTexts.oneALine}
        </label>
        <span className="flex">
          {onPaste && (
            <IconButton label={bulkTexts.paste} onClick={onPaste} disabled={disabled}>
              <ClipboardPaste className="size-5" aria-hidden="true" />
            </IconButton>
          )}
          <IconButton
            label={bulkTexts.clear}
            disabled={disabled || value === ''}
            onClick={() => {
              onValue('')
              field.current?.focus()
            }}
          >
            <X className="size-5" aria-hidden="true" />
          </IconButton>
        </span>
      </div>
      <div className="relative h-[min(26rem,52dvh)] min-h-70 lg:h-[36rem]">
        <Layer top={top}>
          {shown.map((at) => (
            <Row key={at} at={at} isCaret={at === caretLine} />
          ))}
        </Layer>
        <textarea
          id={id}
          ref={field}
          value={value}
          disabled={disabled}
          wrap="off"
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          aria-describedby={`${id}-hint`}
          placeholder={bulkTexts.example}
          onChange={(event) => {
            const { value: written } = event.currentTarget
            const isPasted = (event.nativeEvent as InputEvent).inputType === 'insertFromPaste'
            onValue(isPasted ? toOwnLines(written) : written)
            lookAtCaret()
          }}
          onScroll={look}
          onSelect={lookAtCaret}
          onFocus={lookAtCaret}
          onBlur={lookAtCaret}
          className="absolute inset-x-0 -top-[0.5625rem] h-[calc(100%-12px)] w-full resize-none overflow-x-auto overflow-y-scroll bg-transparent pr-9 pl-10 font-mono text-body leading-[2.875rem]! pointer-coarse:text-[1rem] whitespace-pre text-ink outline-none [scrollbar-width:thin] lg:top-0 lg:pr-[55%]"
        />
        <Layer top={top}>
          {shown.map((at) => (
            <Reading key={at} at={at} reading={readings.at(at)} isCaret={at === caretLine} twoLines={letters > 1.3} />
          ))}
        </Layer>
      </div>
      <p id={`${id}-hint`} className="sr-only">
        {bulkTexts.padHint}
      </p>
    </div>
  )
}

const TONES = { ready: 'text-muted', doubtful: 'text-pending', wrong: 'text-danger', skipped: 'text-muted', empty: 'text-muted' }

/** Moves with the lines of the field, below or above them. */
function Layer({ top, children }: { top: number; children: ReactNode }) {
  return (
    <div data-scrolled className="pointer-events-none absolute inset-0 overflow-hidden">
      <div className="absolute inset-x-0 top-0" style={{ transform: `translateY(${-top}px)` }}>
        {children}
      </div>
    </div>
  )
}

function Row({ at, isCaret }: { at: number; isCaret: boolean }) {
  return (
    <div
      style={{ top: `${at * ROW_REM}rem`, height: `${ROW_REM}rem` }}
      className={classNames('absolute inset-x-0 border-b border-dashed border-line', isCaret && 'bg-brand-soft')}
    >
      <span className="absolute top-[0.875rem] left-0 w-8 text-right text-small text-muted">{at + 1}</span>
    </div>
  )
}

/** Above the field, since a long line goes on below it. Large letters leave room for a second line. */
function Reading({ at, reading, isCaret, twoLines }: { at: number; reading: PadReading; isCaret: boolean; twoLines: boolean }) {
  // Whoever still writes a line is not told that it is wrong.
  const isUnfinished = isCaret && reading.tone === 'wrong'
  const tone = isUnfinished ? 'skipped' : reading.tone
  if (tone === 'empty') return null
  return (
    <div
      style={{ top: `calc(${at * ROW_REM}rem + 1px)`, height: `calc(${ROW_REM}rem - 2px)` }}
      className={classNames('absolute inset-x-0 lg:left-[46%]', isCaret ? 'lg:bg-brand-soft' : 'lg:bg-surface')}
    >
      <span
        className={classNames(
          'absolute right-8 bottom-0 left-9 text-[min(0.8125rem,3.8vw)] leading-[1.3] lg:top-0 lg:text-body lg:bottom-auto lg:left-2 lg:text-body lg:leading-[2.75rem]',
          twoLines ? 'line-clamp-2 lg:line-clamp-1' : 'truncate',
          TONES[tone],
        )}
      >
        {isUnfinished ? bulkTexts.keepTyping : reading.text}
      </span>
      <span aria-hidden="true" className="absolute right-3 bottom-0 lg:top-3 lg:right-5 lg:bottom-auto [&>svg]:size-4.5">
        {tone === 'ready' ? (
          <Check className="text-done" />
        ) : tone === 'wrong' ? (
          <X className="text-danger" />
        ) : tone === 'doubtful' ? (
          <TriangleAlert className="text-pending" />
        ) : null}
      </span>
    </div>
  )
}

function countLines(text: string, upTo: number): number {
  let lines = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < upTo; at = text.indexOf('\n', at + 1)) lines++
  return lines
}
