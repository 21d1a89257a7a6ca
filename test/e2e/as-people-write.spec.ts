import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { expect, keepSession, test, toastOf } from './shop.ts'

/** Files and lines as people sent them; test/cases.test.ts has how each of their lines ends. */
const pathOf = (name: string) => new URL(`../fixtures/cases/${name}`, import.meta.url).pathname
const textOf = (name: string) => readFile(pathOf(name), 'utf8')

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

async function paste(field: Locator, text: string) {
  await field.fill('')
  await field.page().evaluate((copied) => navigator.clipboard.writeText(copied), text)
  await field.focus()
  await field.page().keyboard.press('Control+V')
}

/** The screen that shows what was read of a file before anything happens. */
async function upload(page: Page, label: string, name: string, title = 'Check the file', text?: string) {
  const file = text === undefined ? pathOf(name) : { name, mimeType: 'text/csv', buffer: Buffer.from(text) }
  await page.getByLabel(label, { exact: true }).setInputFiles(file)
  return page.getByRole('dialog', { name: title })
}

const counts = (screen: Locator) => screen.getByRole('region', { name: 'What we read' }).getByRole('listitem')

test('an amount with a comma is what it says, typed and pasted; one that may be two is asked about', async ({ page, shop }) => {
  const customer = await shop.makeUser()
  await keepSession(page, customer)
  await page.goto('/user/finance')
  const amount = page.getByLabel('Recharge amount')
  for (const [written, understood] of [
    ['55,50', /¢55\.50$/],
    ['GHS 1.234,5', /¢1,234\.50$/],
  ] as const) {
    await amount.fill('')
    await amount.pressSequentially(written)
    await expect(amount).toHaveValue(written)
    await expect(amount).toHaveAccessibleDescription(understood)
  }
  const request = page.getByRole('button', { name: 'Request' })
  await paste(amount, '1,500')
  await expect(page.getByText('Is that ¢1,500.00 or ¢1.50?')).toBeVisible()
  await expect(request).toBeDisabled()
  await paste(amount, '55,50')
  await request.click()
  await expect(toastOf(page, 'Recharge request submitted')).toBeVisible()
  const requests = await shop.call<{ amount: number }[]>('GET', '/recharge', { as: customer })
  expect(requests.map((one) => one.amount)).toEqual([55.5])
})

test('a list is what it says, pasted and uploaded', async ({ page, shop }) => {
  await keepSession(page, await shop.makeUser({ level: 'Agent', balance: 500 }))
  await page.goto('/agent/bulk')
  const field = page.getByLabel('One number a line')
  await paste(field, await textOf('list-lines.txt'))
  await expect(page.getByText('5 ready').first()).toBeVisible()
  await expect(page.getByText('19 lines').first()).toBeVisible()

  await page.getByRole('button', { name: 'Clear' }).click()
  const filtered = await upload(page, 'Upload CSV or Excel', 'list-filtered-row.xlsx')
  await expect(counts(filtered)).toHaveText([/^Lines that are ready1¢/, 'Left out1'])
  await expect(filtered.getByText('1 row that is hidden or filtered out')).toBeVisible()
  await filtered.getByRole('button', { name: 'Add 1 line to the list' }).click()
  await expect(field).toHaveValue('244123456 5GB')

  // A column of money is no size, until somebody says so.
  const money = await upload(page, 'Upload CSV or Excel', 'list-amount-column.csv')
  await expect(money.getByText('We don’t see which column is the size.')).toBeVisible()
  await expect(money.getByRole('button', { name: /^Add/ })).toBeDisabled()
  await money.getByRole('button', { name: 'Close' }).click()

  // Headings that say nothing, and a column that says more than an order.
  await page.getByRole('button', { name: 'Clear' }).click()
  const rows = ['A,B,C,D', '0241110131,5GB,yaaba,Kumasi', '0241110132,1GB,kofiba,Tema', '0241110133,1GB,cancelled,Tema']
  const plain = await upload(page, 'Upload CSV or Excel', 'letters.csv', 'Check the file', rows.join('\n'))
  await expect(plain.getByRole('heading', { name: 'Which column is which?' })).toBeVisible()
  await expect(plain.getByRole('button', { name: /^Add/ })).toBeDisabled()
  await plain.getByLabel('What is in “C”?').selectOption('Name')
  await plain.getByLabel('What is in “A”?').selectOption('Phone number')
  await plain.getByLabel('What is in “B”?').selectOption('Size')
  await expect(counts(plain)).toHaveText([/^Lines that are ready0/, 'Doubtful3'])
  await expect(plain.getByText('Columns without a use here: D')).toBeVisible()
  await plain.getByRole('button', { name: 'Add 3 lines to the list' }).click()
  await page.getByRole('button', { name: 'Check 3 lines' }).click()
  const names = page.getByRole('button', { name: 'All 2 are names' })
  await names.click()
  await expect(names).toBeHidden()
  await expect(page.getByText('This line says “cancelled”. Is it an order?').first()).toBeVisible()
})

test('a statement, checkers and a batch result are what they say', { tag: '@desktop' }, async ({ page, shop }) => {
  await keepSession(page, shop.admin)
  await page.goto('/admin/finance/match')
  const dates = await upload(page, 'Statement', 'statement-dates.csv', 'Check the statement')
  await expect(counts(dates)).toHaveText(['Money in2¢100.00', 'Doubtful2'])
  await expect(dates.getByText(/27\/11\/2026 00:15:22/)).toBeVisible()
  await dates.getByRole('button', { name: 'Close' }).click()
  const failed = await upload(page, 'Statement', 'statement-status-and-drcr.csv', 'Check the statement')
  await expect(counts(failed)).toHaveText(['Money in0¢0.00', 'Money out1¢88.00', 'Failed3¢117.00'])
  await failed.getByRole('button', { name: 'Read 4 rows' }).click()
  await expect(page.getByText(/^Read 4: 0 certain, 0 doubtful, 0 unmatched, 4 not counted/)).toBeVisible()
  await paste(page.getByRole('textbox', { name: 'Paste payment messages' }), await textOf('momo-messages.txt'))
  await expect(page.getByText(/not counted\.$/)).toHaveText('Read 11: 0 certain, 0 doubtful, 3 unmatched, 8 not counted.')

  await page.goto('/admin/checkers')
  await page.getByRole('button', { name: 'Import checkers' }).click()
  const checkers = page.getByRole('dialog', { name: 'Import checkers' })
  const startOver = () => checkers.getByRole('button', { name: 'Start over' }).click()
  // Nobody's codes become another exam's because a list began with it.
  await expect(checkers.getByLabel('Or paste lines')).toHaveCount(0)
  await checkers.getByLabel('Kind').selectOption('BECE')
  await upload(page, 'File of checkers', 'checkers-pin-first.txt')
  await expect(checkers.getByText('3 lines, 3 of them good')).toBeVisible()
  await expect(checkers.getByText(/WGR2600001 PIN ••••11/)).toBeVisible()
  await startOver()
  await upload(page, 'File of checkers', 'checkers-no-extension.bin')
  await expect(counts(checkers)).toHaveText(['Good0', 'Doubtful3'])
  await startOver()
  await upload(page, 'File of checkers', 'checkers-heading-voucher-password.csv')
  await checkers.getByLabel('What is in “VOUCHER”?').selectOption('Serial')
  await expect(checkers.getByText('3 lines, 3 of them good')).toBeVisible()
  await startOver()
  await checkers.getByLabel('Or paste lines').fill(await textOf('checkers-lost-zero.csv'))
  await checkers.getByRole('button', { name: 'Check these lines' }).click()
  await expect(counts(checkers)).toHaveText(['Good2', 'Doubtful1'])

  const lines = (await textOf('batch-results.txt')).trim().split('\n')
  const buyer = await shop.makeUser({ balance: 200 })
  const orders = await shop.buy(
    buyer,
    lines.map((line) => ({ phoneNumber: line.slice(0, 10) })),
  )
  // Until it has been looked at whether a supplier gets them, they are in no batch.
  await expect
    .poll(async () => (await shop.call<{ ordersToRelay: number }>('GET', '/admin/jobs', { as: shop.admin })).ordersToRelay)
    .toBe(0)
  const { batch } = await shop.call<{ batch: { number: number } }>('POST', '/admin/batches', {
    as: shop.admin,
    body: { key: randomUUID(), network: 'MTN', ids: orders.map(({ _id }) => _id) },
  })
  await page.goto(`/admin/batches/${batch.number}`)
  await paste(page.getByLabel('Results from the portal'), lines.join('\n'))
  await expect(page.getByText('“Not completed”: what does that mean?')).toBeVisible()
  await expect(page.getByText('0 delivered').first()).toBeVisible()
  await page.getByLabel('Results from the portal').fill('')
  const file = ['Number,Size,Status', '0241110110,1GB,Delivered', '0241110111,1GB,Failed', '0241110112,1GB,Sent back']
  const results = await upload(page, 'Result file', 'results.csv', 'Check the results', file.join('\n'))
  await expect(counts(results)).toHaveText([/^Delivered1/, /^Failed1/, 'Doubtful1'])
  await results.getByRole('group', { name: '“Sent back”: what happened to the order?' }).getByRole('button', { name: 'It failed' }).click()
  await results.getByRole('button', { name: 'Use 3 rows' }).click()
  await expect(page.getByText('1 delivered').first()).toBeVisible()
})
