import { describe, expect, test } from 'vitest'
import { bulkDraft, forgetLines, rewriteLine, setBulkText, takeOverLines } from './bulk-draft.ts'

const text = ['0244000001 1', 'O244000002 1', '', '0244000003 1', '0244000004 1'].join('\n')
const paid = [{ number: 1, text: '0244000001 1' }]

test('what was not paid for stays in the list, without what was skipped', () => {
  bulkDraft.set({ text, decisions: { '4 0244000003 1': { skip: true } } })
  forgetLines(paid)
  expect(bulkDraft.get()).toMatchObject({ text: 'O244000002 1\n0244000004 1', decisions: {} })
})

test('another list that was begun meanwhile stays as it is', () => {
  bulkDraft.set({ text: '0244000009 1\n', decisions: {} })
  forgetLines(paid)
  expect(bulkDraft.get().text).toBe('0244000009 1\n')
})

describe('what is known of a line', () => {
  const line = (at: number, more: object) =>
    ({ text: `024400000${at} 1GB MTN`, network: 'MTN', offer: '1GB', name: '', retryOf: null, ...more }) as Parameters<
      typeof takeOverLines
    >[0][number]
  const start = () =>
    takeOverLines([line(1, { name: 'Ama' }), line(2, { name: 'call me', retryOf: 'order-2' }), line(3, { network: 'Telecel' })], {
      name: 'Friday',
      groupId: 'g',
      scheduleId: 's',
      cedis: 9,
    })
  const known = (name = '', network = 'MTN') => ({ network, offer: '1GB', name })

  test('of an earlier list is its network, package and name', () => {
    start()
    expect(bulkDraft.get().decisions).toEqual({
      '1 0244000001 1GB MTN': known('Ama'),
      '2 0244000002 1GB MTN': known('call me'),
      '3 0244000003 1GB MTN': known('', 'Telecel'),
    })
  })

  test('goes with it when lines are written, changed or taken away above and below', () => {
    start()
    const rows = () => bulkDraft.get().text.split('\n')
    setBulkText(['0244000009 2', ...rows(), '0244000008 2'].join('\n'))
    expect(bulkDraft.get().decisions).toEqual({
      '2 0244000001 1GB MTN': known('Ama'),
      '3 0244000002 1GB MTN': known('call me'),
      '4 0244000003 1GB MTN': known('', 'Telecel'),
    })
    setBulkText(
      rows()
        .filter((row) => !row.includes('0244000001'))
        .join('\n'),
    )
    rewriteLine({ number: 1, text: '0244000009 2' }, '0244000009 2\n0244000007 1')
    expect(bulkDraft.get()).toMatchObject({
      decisions: { '3 0244000002 1GB MTN': known('call me'), '4 0244000003 1GB MTN': known('', 'Telecel') },
      retries: { '3 0244000002 1GB MTN': 'order-2' },
    })
    setBulkText(bulkDraft.get().text.replace('0244000003', '0244000005'))
    expect(Object.keys(bulkDraft.get().decisions)).toEqual(['3 0244000002 1GB MTN'])
  })

  test('stays when others were paid for, but whether to send it once more is asked again', () => {
    start()
    const draft = bulkDraft.get()
    const key = '2 0244000002 1GB MTN'
    bulkDraft.set({ ...draft, decisions: { ...draft.decisions, [key]: { ...known('call me'), send: true } as never } })
    forgetLines([{ number: 1, text: '0244000001 1GB MTN' }])
    expect(bulkDraft.get()).toMatchObject({
      decisions: { '1 0244000002 1GB MTN': known('call me'), '2 0244000003 1GB MTN': known('', 'Telecel') },
      retries: { '1 0244000002 1GB MTN': 'order-2' },
      origin: { name: 'Friday', groupId: 'g' },
    })
    expect(JSON.stringify(bulkDraft.get())).not.toMatch(/send|scheduleId|cedis/)
  })
})
