/** A table from a file: its headings, and its rows as text. */
export type Table = { name: string; headings: string[]; rows: string[][] }

const FEWEST_COLUMNS = 3

/**
 * Reads a CSV or XLSX file in the browser. Lines above the headings, as banks and networks write them, are left out.
 * @throws Error when it is neither.
 */
export async function readTable(file: File): Promise<Table> {
  const isSheet = /\.xlsx$/i.test(file.name)
  const lines = isSheet ? await readSheet(file) : readCsv(await file.text())
  const rows = lines.filter((line) => line.some((cell) => cell !== ''))
  const widest = Math.max(0, ...rows.map((row) => row.filter((cell) => cell !== '').length))
  const heading = rows.findIndex((row) => row.filter((cell) => cell !== '').length >= Math.max(FEWEST_COLUMNS, Math.ceil(widest * 0.6)))
  return { name: file.name, headings: rows[heading] ?? [], rows: heading < 0 ? [] : rows.slice(heading + 1) }
}

async function readSheet(file: File): Promise<string[][]> {
  const { readSheet: readRows } = await import('read-excel-file/browser')
  const rows = await readRows(file)
  return rows.map((row) => row.map((cell) => (cell instanceof Date ? cell.toISOString() : String(cell ?? '')).trim()))
}

/** Comma, semicolon, tab or bar between the cells, whichever the first lines have most of; quotes as spreadsheets write them. */
export function readCsv(text: string): string[][] {
  const plain = text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')
  const head = plain.split('\n', 10).join('\n')
  const [separator = ','] = [',', ';', '\t', '|'].toSorted((a, b) => head.split(b).length - head.split(a).length)
  const rows: string[][] = [[]]
  let cell = ''
  let quoted = false
  for (let at = 0; at < plain.length; at++) {
    const letter = plain[at] as string
    if (quoted) {
      if (letter !== '"') cell += letter
      else if (plain[at + 1] === '"') cell += plain[++at]
      else quoted = false
    } else if (letter === '"' && cell.trim() === '') {
      quoted = true
      cell = ''
    } else if (letter === separator || letter === '\n') {
      rows.at(-1)?.push(cell.trim())
      cell = ''
      if (letter === '\n') rows.push([])
    } else cell += letter
  }
  rows.at(-1)?.push(cell.trim())
  return rows
}
