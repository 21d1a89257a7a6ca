import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '../..')
const TABLE = resolve(ROOT, 'docs/browsers.md')

export type Run = { name: string; version: string; journey: string; tookMs: number; failedAt: string | null }

/** Writes the row of a browser's journey in docs/browsers.md, in place of that of the run before. */
export async function noteRun(run: Run) {
  const text = await readFile(TABLE, 'utf8')
  await writeFile(TABLE, withRun(text, run, commitNow(), new Date().toISOString().slice(0, 10)))
}

export function withRun(text: string, { name, version, journey, tookMs, failedAt }: Run, commit: string, day: string): string {
  const result = failedAt === null ? `passed in ${Math.round(tookMs / 1000)} s` : `failed: ${failedAt}`
  const row = `| ${name} | ${version} | ${journey} | ${commit}, ${day} | ${result} |`
  const lines = text.split('\n')
  const own = lines.findIndex((line) => line.startsWith(`| ${name} |`) && line.split('|')[3]?.trim() === journey)
  if (own >= 0) return lines.with(own, row).join('\n')
  return lines.toSpliced(lines.findLastIndex((line) => line.startsWith('|')) + 1, 0, row).join('\n')
}

/** What the shop was built from; a run with changes says so. */
function commitNow(): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()
  const isChanged = git('status', '--porcelain', '--', 'web', 'server', 'shared', 'sandbox') !== ''
  return git('rev-parse', '--short=8', 'HEAD') + (isChanged ? ' and changes' : '')
}
