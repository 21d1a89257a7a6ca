import { readFile } from 'node:fs/promises'
import { crc32, deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import writeSheet from 'write-excel-file/node'
import { readLine } from '../../shared/bulk-line.ts'
import { LIST_WORDS } from '../../shared/readers/heading-words.ts'
import { toListRows } from '../../shared/readers/read-list.ts'
import { leftOutText, readTable } from '../../shared/readers/read-table.ts'
import type { Sheet } from '../../shared/readers/sheets.ts'
import { readSheetFile } from './read-sheet-file.ts'

/** The lines of a list that a file's columns make, and of which sheet. */
function toListText(sheets: readonly Sheet[]) {
  const table = readTable(sheets, LIST_WORDS)
  const { rows } = toListRows(table)
  return { text: rows.map(({ text }) => text).join('\n'), sheet: table.sheet, lines: rows.length, leftOut: table.leftOut.map(leftOutText) }
}
const listOf = async (...parts: BlobPart[]) => toListText(await readSheetFile(new File(parts, 'list.csv'))).text
const caseFile = async (name: string) => new File([await readFile(new URL(`../../test/fixtures/cases/${name}`, import.meta.url))], name)

test.each([
  [
    'a heading, with dates and prices beside',
    'Date,Name,Phone No.,Bundle (GB),Price\n22/11/2026,Ama,244123456,5,23.00',
    'Ama 244123456 5GB',
  ],
  ['semicolons, and halves with a comma', 'Name;Number;Data size\r\nAma;+233 24 412 3456;1,5', 'Ama +233 24 412 3456 1.5'],
  ['Excel’s mark of UTF-8', '\ufeffNumber,GB\n0244123456,5\n', '0244123456 5GB'],
  ['megabytes in the heading', 'Customer\tMSISDN\tVolume (MB)\nEsi\t233244123456\t500', 'Esi 233244123456 500MB'],
  ['a title above the heading', 'Staff list,,\n,,\nNAME,MOBILE,PACKAGE\n"Owusu, Abena",0244123456,5GB', 'Owusu, Abena 0244123456 5GB'],
  ['no heading', '"Ama","0244123456","5"', 'Ama 0244123456 5'],
  ['a quote that never ends', '"0244123456 5\n0205550118 2', ' 0244123456 5\n0205550118 2'.trim()],
  ['line ends within a cell', 'Name,Phone,Size\n"Ama\nOsu",0244123456,2', 'Ama Osu 0244123456 2'],
])('CSV with %s', async (_what, csv, lines) => {
  expect(await listOf(csv)).toBe(lines)
})

test('text in UTF-16, and in Windows’ letters, keeps its names', async () => {
  const utf16 = new Uint16Array([...'\ufeffEfé\t0244123456\t5'].map((letter) => letter.charCodeAt(0)))
  expect(await listOf(utf16)).toBe('Efé 0244123456 5')
  expect(await listOf(new Uint8Array([0x45, 0x66, 0xe9]), ',0244123456,5')).toBe('Efé 0244123456 5')
})

test('of an Excel file the sheet with the numbers is read, whose cells may be numbers without their first 0', async () => {
  const bytes = await writeSheet([
    { sheet: 'Notes', data: [[{ value: 'Data for November' }]] },
    {
      sheet: 'Staff',
      data: [
        [{ value: 'Paid' }, { value: 'Phone number' }, { value: 'Data' }],
        [{ value: new Date('2026-11-22'), format: 'dd/mm/yyyy' }, { value: 244123456 }, { value: 5 }],
        [null, { value: 233205550118 }, { value: 0.5 }],
      ],
    },
  ]).toBuffer()
  const { text, sheet, lines, leftOut } = toListText(await readSheetFile(new File([new Uint8Array(bytes)], 'download')))
  expect({ sheet, lines, text }).toEqual({ sheet: 'Staff', lines: 2, text: '244123456 5\n233205550118 0.5' })
  expect(leftOut).toEqual(['1 row in the sheet “Notes”'])
  expect(text.split('\n').map((line) => readLine(line))).toMatchObject([
    { receiver: '0244123456', volumeMb: 5000 },
    { receiver: '0205550118', volumeMb: 500 },
  ])
})

test('a file that is no list says so', async () => {
  const old = new File([new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 1])], 'list.xls')
  await expect(readSheetFile(old)).rejects.toThrow('Save it as .xlsx or CSV')
  await expect(readSheetFile(new File(['PK\u0003\u0004 cut off'], 'list.xlsx'))).rejects.toThrow('We couldn’t read that Excel file')
  await expect(readSheetFile(new File([new Uint8Array(5_000_001)], 'list.csv'))).rejects.toThrow('larger than 5 MB')
})

test('quotes, doubled quotes and line ends within cells of CSV', async () => {
  const [sheet] = await readSheetFile(new File(['a,"b ""c""","d\ne"\r\n1,2,3'], 'x.csv'))
  expect(sheet?.rows.map(({ cells }) => cells)).toEqual([
    ['a', 'b "c"', 'd\ne'],
    ['1', '2', '3'],
  ])
})

const SHEET = `<worksheet><sheetData><row r="1"><c r="A1" t="str"><v>Number</v></c><c r="B1" t="str"><v>GB</v></c></row>
  <row r="2"><c r="A2" t="str"><v>0244123456</v></c><c r="B2"><v>5</v></c></row></sheetData></worksheet>`
const REST = {
  'xl/workbook.xml':
    '<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="List" sheetId="1" r:id="rId1"/></sheets></workbook>',
  'xl/_rels/workbook.xml.rels':
    '<Relationships><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
}

/** An Excel file with this sheet. `says`: the size that it claims to unpack to. */
function workbookWith(change: (sheet: string) => string, says?: number): File {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  const files = Object.entries({ ...REST, 'xl/worksheets/sheet1.xml': change(SHEET) })
  for (const [path, text] of files) {
    const [name, plain] = [Buffer.from(path), Buffer.from(text)]
    const packed = deflateRawSync(plain)
    const head = Buffer.alloc(26)
    head.writeUInt16LE(20, 0)
    head.writeUInt16LE(8, 4)
    head.writeUInt32LE(crc32(plain), 10)
    head.writeUInt32LE(packed.length, 14)
    head.writeUInt32LE(says ?? plain.length, 18)
    head.writeUInt16LE(name.length, 22)
    const offset = Buffer.alloc(4)
    offset.writeUInt32LE(Buffer.concat(parts).length)
    parts.push(Buffer.from('PK\u0003\u0004'), head, name, packed)
    directory.push(Buffer.from('PK\u0001\u0002\u0014\u0000'), head, Buffer.alloc(10), offset, name)
  }
  const [body, index, end] = [Buffer.concat(parts), Buffer.concat(directory), Buffer.alloc(18)]
  end.writeUInt16LE(files.length, 4)
  end.writeUInt16LE(files.length, 6)
  end.writeUInt32LE(index.length, 8)
  end.writeUInt32LE(body.length, 12)
  return new File([new Uint8Array(Buffer.concat([body, index, Buffer.from('PK\u0005\u0006'), end]))], 'list.xlsx')
}

test.each<[string, (was: string) => string, RegExp, number?]>([
  ['a row a thousand million down', (was) => was.replace(/<row[^>]*r="2"/, '<row r="999999999"'), /couldn’t read/],
  ['a row in another notation', (was) => was.replace(/<row[^>]*r="2"/, '<row r="1e9"'), /couldn’t read/],
  ['its last row at the end of the sheet', (was) => was.replace(/<row[^>]*r="2"/, '<row r="1048576"'), /row 1,048,576/],
  ['a million empty rows', (was) => was.replace('</sheetData>', `${'<row/>'.repeat(1_000_000)}</sheetData>`), /row 1,000,002/],
  [
    'a cell in the last column of many rows',
    (was) => was.replace('</sheetData>', `<row r="9000"><c r="XFD9000"><v>1</v></c></row></sheetData>`),
    /row 9,000/,
  ],
  ['50 MB that it says are 10 bytes', (was) => was.replace('<sheetData>', `${' '.repeat(50_000_000)}<sheetData>`), /couldn’t read/, 10],
])('an Excel file with %s is refused before it fills the memory', async (_what, sheet, message, says) => {
  await expect(readSheetFile(workbookWith(sheet, says))).rejects.toThrow(message)
})

test('an Excel file that was cut off, or has formulas, and text with NULs, are read or refused, never trusted', async () => {
  const whole = new Uint8Array(await workbookWith((was) => was).arrayBuffer())
  await expect(readSheetFile(new File([whole.slice(0, whole.length / 2)], 'list.xlsx'))).rejects.toThrow(/couldn’t read/)
  const formula = workbookWith((was) =>
    was.replace(/<c r="B2"[^>]*>.*?<\/c>/, '<c r="B2"><f>HYPERLINK("https://evil.example","5")</f><v>5</v></c>'),
  )
  expect(toListText(await readSheetFile(formula)).text).toBe('0244123456 5GB')
  expect(await listOf('024\u00004123456,5\n0205550118,2')).toContain('0205550118 2')
  await expect(readSheetFile(new File([new Uint8Array(6_000_000)], 'list.csv'))).rejects.toThrow(/larger than 5 MB/)
})

test('a file is what its bytes say, whatever its name: a workbook without an extension or as .csv, CSV named .xlsx or .bin', async () => {
  const bytes = await (await caseFile('checkers-no-extension.bin')).arrayBuffer()
  for (const name of ['checkers', 'checkers.csv', 'checkers.xlsm', 'checkers.bin']) {
    const [sheet] = await readSheetFile(new File([bytes], name))
    expect(sheet?.rows[0]?.cells).toEqual(['SERIAL', 'PIN'])
  }
  for (const name of ['list.xlsx', 'list.bin', 'list'])
    expect(toListText(await readSheetFile(new File(['Phone;GB\n0244123456;5'], name))).text).toBe('0244123456 5GB')
  const html = '<html><table><tr><th>Phone</th><th>Data<br>(GB)</th></tr><tr><td>0244&nbsp;123456</td><td>5</td></tr></table></html>'
  expect(toListText(await readSheetFile(new File([html], 'portal.xls'))).text).toBe('0244 123456 5GB')
})

test('hidden sheets, rows and columns and filtered rows are not read, and it is said how many they are', async () => {
  const hidden = toListText(await readSheetFile(await caseFile('list-hidden-sheet.xlsx')))
  expect(hidden).toEqual({ text: '244123456 5GB', sheet: 'today', lines: 1, leftOut: ['4 rows in the hidden sheet “old”'] })
  const filtered = toListText(await readSheetFile(await caseFile('list-filtered-row.xlsx')))
  expect(filtered).toMatchObject({ text: '244123456 5GB', lines: 1, leftOut: ['1 row that is hidden or filtered out'] })
  const column = workbookWith((was) =>
    was
      .replace('<sheetData>', '<cols><col min="3" max="3" hidden="1"/></cols><sheetData>')
      .replace('</row></sheetData>', '<c r="C2"><v>99</v></c></row></sheetData>')
      .replace('</worksheet>', '<mergeCells><mergeCell ref="A2:A3"/></mergeCells></worksheet>'),
  )
  expect(toListText(await readSheetFile(column))).toMatchObject({
    text: '0244123456 5GB',
    leftOut: ['1 hidden column', '1 group of merged cells: only its first cell is read'],
  })
})

test('decimal commas are one and a half, and a column of money is no size', async () => {
  expect(toListText(await readSheetFile(await caseFile('list-decimal-comma.csv'))).text).toBe('0244100001 1.5GB\n0244100002 0.5 GB')
  const table = readTable(await readSheetFile(await caseFile('list-amount-column.csv')), LIST_WORDS)
  expect(toListRows(table).missing).toEqual(['size'])
  expect(toListRows({ ...table, columns: { ...table.columns, size: 2, money: undefined } }).rows.map(({ text }) => text)).toEqual([
    'Ama 0244100001 10',
    'Kofi 0244100002 20',
  ])
})

test('5,000 rows of a workbook and of CSV are read in well under a second', async () => {
  const rows = Array.from({ length: 5_000 }, (_, at) => [`Customer ${at}`, `024${String(4_000_000 + at)}`, `${(at % 9) + 1}`])
  const sheet = rows
    .map((cells, at) => `<row r="${at + 2}">${cells.map((cell) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`).join('')}</row>`)
    .join('')
  const files = [
    new File([['Name,Phone,GB', ...rows.map((cells) => cells.join(','))].join('\n')], 'a'),
    workbookWith((was) =>
      was.replace(
        /<row[\s\S]*<\/row>/,
        `<row r="1"><c t="str"><v>Name</v></c><c t="str"><v>Phone</v></c><c t="str"><v>GB</v></c></row>${sheet}`,
      ),
    ),
  ]
  for (const file of files) {
    // Time of the processor, not of the clock: other work on the machine doesn't count.
    const before = process.cpuUsage()
    expect(toListText(await readSheetFile(file))).toMatchObject({ lines: 5_000 })
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(2_000)
  }
})
