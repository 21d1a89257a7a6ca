import { expect, test } from 'vitest'
import writeSheet from 'write-excel-file/node'
import { readLine } from '../../../../shared/bulk-line.ts'
import { readSheetFile } from '../../../lib/read-sheet-file.ts'
import { toListText } from './to-list-text.ts'

const listOf = async (...parts: BlobPart[]) => toListText(await readSheetFile(new File(parts, 'list.csv'))).text

test.each([
  ['a heading, with dates and prices beside', 'Date,Name,Phone No.,Bundle (GB),Price\n22/11/2026,Ama,244123456,5,23.00', 'Ama 244123456 5'],
  ['semicolons, and halves with a comma', 'Name;Number;Data size\r\nAma;+233 24 412 3456;1,5', 'Ama +233 24 412 3456 1.5'],
  ['Excel’s mark of UTF-8', '\ufeffNumber,GB\n0244123456,5\n', '0244123456 5'],
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
  const { text, sheet, lines } = toListText(await readSheetFile(new File([new Uint8Array(bytes)], 'download')))
  expect({ sheet, lines, text }).toEqual({ sheet: 'Staff', lines: 2, text: '244123456 5\n233205550118 0.5' })
  expect(text.split('\n').map((line) => readLine(line))).toMatchObject([
    { receiver: '0244123456', volumeMb: 5000 },
    { receiver: '0205550118', volumeMb: 500 },
  ])
})

test('a file that is no list says so', async () => {
  const old = new File([new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 1])], 'list.xls')
  await expect(readSheetFile(old)).rejects.toThrow('Save it as .xlsx or CSV')
  await expect(readSheetFile(new File(['0244'], 'list.xlsx'))).rejects.toThrow('We couldn’t read that Excel file')
  await expect(readSheetFile(new File(['PK\u0003\u0004 cut off'], 'list.xlsx'))).rejects.toThrow('We couldn’t read that Excel file')
  await expect(readSheetFile(new File([new Uint8Array(5_000_001)], 'list.csv'))).rejects.toThrow('larger than 5 MB')
  expect(toListText(await readSheetFile(new File(['dear all'], 'letter.txt')))).toMatchObject({ lines: 0 })
})

test('quotes, doubled quotes and line ends within cells of CSV', async () => {
  const [sheet] = await readSheetFile(new File(['a,"b ""c""","d\ne"\r\n1,2,3'], 'x.csv'))
  expect(sheet?.rows).toEqual([
    ['a', 'b "c"', 'd\ne'],
    ['1', '2', '3'],
  ])
})
