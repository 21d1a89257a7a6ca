import { checkerPartProblem } from './checker-rules.ts'

/** A line of a distributor's file, by its place in it from 1. `problem` says why it cannot be used. */
export type CheckerLine = { line: number; serial: string; pin: string; problem: string | null }

const SERIAL = /^(?:serial|voucher|card)\b|serial/i
const PIN = /pin\b/i

/** Spreadsheets keep 15 digits of a number; what they save of a longer one ends in zeros. */
const DIGITS_OF_A_SPREADSHEET = 15
const DESTROYED =
  'The PIN or serial is too long for a number in a spreadsheet, which has changed its last digits. Save that column as text.'

/**
 * The serials and PINs of a file's rows, whichever column they are in; without a heading the serial is first. `asNumbers`: the cells may
 * have been numbers of a spreadsheet, which keeps only 15 digits of them and no zeros in front.
 */
export function readCheckers(rows: readonly string[][], { asNumbers = false }: { asNumbers?: boolean } = {}): CheckerLine[] {
  const filled = rows.map((cells, index) => ({ cells, line: index + 1 })).filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
  const heading = filled[0]?.cells.map((cell) => cell.trim()) ?? []
  const pinAt = heading.findIndex((cell) => PIN.test(cell))
  const serialAt = heading.findIndex((cell, at) => at !== pinAt && SERIAL.test(cell))
  const hasHeading = pinAt >= 0 && serialAt >= 0
  const at = hasHeading ? { serial: serialAt, pin: pinAt } : { serial: 0, pin: 1 }
  const lines = filled.slice(hasHeading ? 1 : 0).map(({ cells, line }) => {
    const serial = clean(cells[at.serial])
    const pin = clean(cells[at.pin])
    return { line, serial, pin, problem: problemOf(serial, pin, asNumbers) }
  })
  return asNumbers ? lines.map((line) => markShort(line, lines)) : lines
}

/**
 * The same of JSON: a list of { "serial": text, "pin": text }, or of pairs.
 * @throws Error with a sentence for whoever chose the file.
 */
export function readCheckerJson(text: string): CheckerLine[] {
  const wrong = 'That is not a list of serials and PINs.'
  let list: unknown
  try {
    list = JSON.parse(text)
  } catch {
    throw new Error(wrong)
  }
  if (!Array.isArray(list)) throw new Error(wrong)
  return list.map((entry: unknown, index) => {
    const [serial, pin] = Array.isArray(entry) ? [entry[0], entry[1]] : isRecord(entry) ? [pick(entry, SERIAL), pick(entry, PIN)] : []
    const isUnsafe = [serial, pin].some((value) => typeof value === 'number' && !Number.isSafeInteger(value))
    const line = { line: index + 1, serial: clean(toText(serial)), pin: clean(toText(pin)) }
    return { ...line, problem: isUnsafe ? DESTROYED : problemOf(line.serial, line.pin, false) }
  })
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function pick(entry: Record<string, unknown>, name: RegExp): unknown {
  return Object.entries(entry).find(([key]) => name.test(key))?.[1]
}

function toText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function clean(cell: string | undefined): string {
  return (cell ?? '').replace(/[\s\u00a0']+/g, '')
}

function problemOf(serial: string, pin: string, asNumbers: boolean): string | null {
  const isDestroyed = asNumbers && [serial, pin].some((text) => /^\d+$/.test(text) && text.length > DIGITS_OF_A_SPREADSHEET)
  return isDestroyed ? DESTROYED : (checkerPartProblem('serial', serial) ?? checkerPartProblem('PIN', pin))
}

/** Zeros in front of a number are lost: a PIN that is shorter than most is not believed. */
function markShort(line: CheckerLine, all: readonly CheckerLine[]): CheckerLine {
  if (line.problem !== null || !/^\d+$/.test(line.pin)) return line
  const usual = usualLength(all)
  if (line.pin.length >= usual) return line
  return {
    ...line,
    problem: `This PIN has ${line.pin.length} digits and most have ${usual}: a spreadsheet drops zeros in front. Save that column as text.`,
  }
}

const usualLengths = new WeakMap<readonly CheckerLine[], number>()
function usualLength(all: readonly CheckerLine[]): number {
  const known = usualLengths.get(all)
  if (known !== undefined) return known
  const counts = new Map<number, number>()
  for (const { pin } of all) counts.set(pin.length, (counts.get(pin.length) ?? 0) + 1)
  const usual = [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? 0
  usualLengths.set(all, usual)
  return usual
}
