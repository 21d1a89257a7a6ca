import { execFileSync } from 'node:child_process'

// Counts the lines of code that read what people write: `npm run node -- tools/count-reading.ts` for what is committed, with a commit behind it
// for that one. a01dfc99 is the last before reading had a folder of its own. Empty lines and comments don't count, nor do tests.
const [revision = 'HEAD', ...flags] = process.argv.slice(2)

const READING = [
  // Readers of values, tables and lines, and what they stand on.
  /^shared\/(?:readers\/.*|bulk-lines?|read-[a-z-]+|message-formats|not-after|phones|offers|checker-rules|afa-rules)\.ts$/,
  // Messages, statements, lists and checkers on the server.
  /^server\/features\/(?:[a-z]+\/)?message-formats\/(?:parse-message|read-attempt)\.ts$/,
  /^server\/features\/(?:[a-z]+\/)?received-payments\/(?:split-messages|read-(?:rows|messages|unknown)|receive-statement)\.ts$/,
  /^server\/features\/(?:[a-z]+\/)?(?:checkers\/(?:hash|check)-lines|bulk\/read-list)\.ts$/,
  // Files, tables and fields in the browser.
  /^web\/(?:lib\/(?:read-sheet-file|refuse-huge-sheets|unzip|old-inflate|use-table-import|remembered-columns|typed-amount)|texts\/imports)\.ts$/,
  /^web\/ui\/(?:money-field|phone-text|import-review|import-dialog|file-button)\.tsx?$/,
  // The screens that show what was read before anything happens.
  /^web\/features\/(?:[a-z]+\/)?batches\/admin\/(?:match-results|result-import|read-result-file)\.tsx?$/,
  /^web\/features\/(?:[a-z]+\/)?bulk\/agent\/(?:bulk-import|bulk-paste|to-list-text|to-readings|to-group-lines)\.tsx?$/,
  /^web\/features\/(?:[a-z]+\/)?checkers\/admin\/(?:import-dialog|checker-review|line-list|read-checker-file)\.tsx?$/,
  /^web\/features\/(?:[a-z]+\/)?prices\/admin\/(?:price-list-dialog|read-[a-z-]+)\.tsx?$/,
  /^web\/features\/(?:[a-z]+\/)?products\/admin\/read-packages\.ts$/,
  /^web\/features\/(?:[a-z]+\/)?received-payments\/admin\/(?:statement-dialog|paste-messages|is-statement|guess-columns|read-table)\.tsx?$/,
]

const git = (...words: string[]) => execFileSync('git', words, { encoding: 'utf8', maxBuffer: 64_000_000 })
const files = git('ls-tree', '-r', '--name-only', revision)
  .split('\n')
  .filter((file) => !/\.test\.tsx?$/.test(file) && READING.some((pattern) => pattern.test(file)))
const counts = files.map((file) => ({ file, lines: linesOfCode(git('show', `${revision}:${file}`)) }))
if (flags.includes('--files'))
  for (const { file, lines } of counts.toSorted((one, other) => other.lines - one.lines))
    console.info(`${String(lines).padStart(5)} ${file}`)
console.info(
  `${counts.reduce((sum, { lines }) => sum + lines, 0).toLocaleString('en')} lines of code in ${files.length} files at ${revision}`,
)

function linesOfCode(text: string): number {
  const bare = text.replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ''))
  return bare.split('\n').filter((line) => line.trim() !== '' && !line.trim().startsWith('//')).length
}
