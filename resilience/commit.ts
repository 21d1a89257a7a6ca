import { execFileSync } from 'node:child_process'

/** The commit that is tried; `-dirty` when files other than the page of results have changed since. */
export function commit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  try {
    const changed = git('status', '--porcelain', '--untracked-files=no', '--', '.', ':!docs/resilience.md')
    return git('rev-parse', '--short', 'HEAD') + (changed === '' ? '' : '-dirty')
  } catch {
    return 'unknown'
  }
}
