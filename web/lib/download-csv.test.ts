import { expect, test } from 'vitest'
import { nameInDisposition } from './download-csv.ts'

test.each([
  ['attachment; filename="dwadi-admin-orders.csv"', 'dwadi-admin-orders.csv'],
  ['attachment; filename=dwadi-admin-stats.csv', 'dwadi-admin-stats.csv'],
  [`attachment; filename="shop.csv"; filename*=UTF-8''K%C9%94fi-admin-finance.csv`, 'Kɔfi-admin-finance.csv'],
  [`attachment; filename="good.csv"; filename*=UTF-8''%E0%A4%A`, 'good.csv'],
  ['attachment; filename="../../etc/cron.csv"', 'cron.csv'],
  ['attachment; filename="C:\\temp\\a.csv"', 'a.csv'],
  ['attachment', null],
  ['attachment; filename=""', null],
  [null, null],
])('the file name in %s is %s', (header, name) => {
  expect(nameInDisposition(header)).toBe(name)
})
