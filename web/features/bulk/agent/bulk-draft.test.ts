import { expect, test } from 'vitest'
import { bulkDraft, forgetLines } from './bulk-draft.ts'

const text = ['0244000001 1', 'O244000002 1', '', '0244000003 1', '0244000004 1'].join('\n')
const paid = [{ number: 1, text: '0244000001 1' }]

test('what was not paid for stays in the list, without what was skipped', () => {
  bulkDraft.set({ text, decisions: { '4 0244000003 1': { skip: true } } })
  forgetLines(paid)
  expect(bulkDraft.get()).toEqual({ text: 'O244000002 1\n0244000004 1', decisions: {} })
})

test('another list that was begun meanwhile stays as it is', () => {
  bulkDraft.set({ text: '0244000009 1\n', decisions: {} })
  forgetLines(paid)
  expect(bulkDraft.get().text).toBe('0244000009 1\n')
})
