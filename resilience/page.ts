import { execFileSync } from 'node:child_process'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Result } from './experiment.ts'

const PAGE = fileURLToPath(new URL('../docs/resilience.md', import.meta.url))
const [BEGIN, END] = ['<!-- table: written by npm run resilience -->', '<!-- end of table -->']
const HEAD =
  '| | what must be so | runs | violations | bound (3/n) | seed | s | s of one core | tier | commit |\n|---|---|---|---|---|---|---|---|---|---|'

/** Writes each result into the table of docs/resilience.md, replacing the row of its tier; other rows stay. */
export function updatePage(results: Result[], commit: string): void {
  const page = readFileSync(PAGE, 'utf8')
  const [before = '', rest = ''] = page.split(BEGIN)
  const [table = '', after = ''] = rest.split(END)
  const rows = new Map(
    table
      .split('\n')
      .filter((line) => /^\| [A-Z]+[0-9]* \|/.test(line))
      .map((line) => [rowKey(line), line]),
  )
  for (const result of results) {
    const row = toRow(result, commit)
    rows.set(rowKey(row), row)
  }
  const sorted = [...rows.entries()].sort(([one], [other]) => sortKey(one).localeCompare(sortKey(other))).map(([, line]) => line)
  replacePage(`${before}${BEGIN}\n\n${HEAD}\n${sorted.join('\n')}\n\n${END}${after}`)
}

/** `A1 fast`: each tier has a row of its own. */
function rowKey(row: string): string {
  const cells = row.split(/(?<!\\)\|/)
  return `${cells[1]?.trim()} ${cells.at(-3)?.trim()}`
}

function toRow({ id, expects, runs, violations, notes, notRun, seed, tookMs, cpuSeconds, tier }: Result, commit: string): string {
  const said = [expects, ...(notes.length > 0 ? [`(${notes.join('; ')})`] : [])].join(' ').replaceAll('|', '\\|')
  if (notRun !== null) return `| ${id} | ${said} | not run: ${notRun} | | | | | | ${tier} | ${commit} |`
  const bound = violations.length === 0 ? `${Number(((3 / runs) * 100).toPrecision(2))} %` : '—'
  return `| ${id} | ${said} | ${runs} | ${violations.length} | ${bound} | ${seed} | ${(tookMs / 1000).toFixed(1)} | ${cpuSeconds?.toFixed(1) ?? ''} | ${tier} | ${commit} |`
}

const [GUARDS_BEGIN, GUARDS_END] = ['<!-- guards: written by npm run resilience -- --guards -->', '<!-- end of guards -->']

const GUARDS_HEAD = '| | with this guard removed | seen | the first that was seen | found by the books |\n|---|---|---|---|---|'

/**
 * Writes what was seen without one guard into docs/resilience.md, replacing its row. Rows of this experiment's former guards
 * are removed; `known` names the present ones, as `A1 the lock`. Other experiments' rows stay.
 */
export function updateGuard(id: string, removed: string, line: string, known: ReadonlySet<string>): void {
  const page = readFileSync(PAGE, 'utf8')
  const [before = '', rest = ''] = page.split(GUARDS_BEGIN)
  const [table = '', after = ''] = rest.split(GUARDS_END)
  const rows = new Map<string, string>()
  for (const row of table.split('\n').filter((one) => /^\| [A-Z]+[0-9]* \|/.test(one))) {
    const [, name = '', what = ''] = row.split('|')
    const key = `${name.trim()} ${what.trim()}`
    if (name.trim() !== id || known.has(key)) rows.set(key, row)
  }
  rows.set(`${id} ${removed}`, line)
  const sorted = [...rows.entries()].sort(([one], [other]) => sortKey(one).localeCompare(sortKey(other))).map(([, row]) => row)
  replacePage(`${before}${GUARDS_BEGIN}\n\n${GUARDS_HEAD}\n${sorted.join('\n')}\n\n${GUARDS_END}${after}`)
}

/** A2 before A10. */
function sortKey(id: string): string {
  return id.replace(/[0-9]+/, (digits) => digits.padStart(3, '0'))
}

/** A run that is interrupted while writing leaves the page as it was. */
function replacePage(text: string) {
  writeFileSync(`${PAGE}.new`, text)
  renameSync(`${PAGE}.new`, PAGE)
}

/** The commit that is tried; `-dirty` when files other than the page of results have changed since. */
export function readCommit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  try {
    const changed = git('status', '--porcelain', '--untracked-files=no', '--', '.', ':!docs/resilience.md')
    return git('rev-parse', '--short', 'HEAD') + (changed === '' ? '' : '-dirty')
  } catch {
    return 'unknown'
  }
}
