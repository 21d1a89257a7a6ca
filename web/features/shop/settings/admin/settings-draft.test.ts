import { describe, expect, it } from 'vitest'
import { changeSettingsRequest, type Settings } from '../../../../../shared/settings.ts'
import { changedPaths, contestedPaths, draftOf, draftWith, requestOf, type SettingsDraft, valuesOf, withDraft } from './settings-draft.ts'

const SETTINGS: Settings = {
  routes: {
    MTN: 'by-hand',
    AirtelTigo: 'hubnet',
    Telecel: 'by-hand',
    Airtime: 'by-hand',
    AFA: 'by-hand',
    'WAEC Checkers': 'by-hand',
    'MTN PULSE': 'by-hand',
  },
  completeDelivered: false,
  rejectRefused: false,
  operatorSms: true,
  operatorCheckerSms: true,
  operatorPhone: null,
  buyerSms: false,
  smsDailyCap: 500,
  smsDigest: false,
  smsDigestAbove: 5,
  topUpMinimum: 50,
  topUpMaximum: 2000,
  topUpDaily: 5000,
  topUpHoldHours: 0,
  refundsToSource: true,
  marginLinePercent: 9,
}
const stored = valuesOf(SETTINGS)

function edit(...changes: [Parameters<typeof draftWith>[2], string | boolean][]): SettingsDraft {
  return changes.reduce<SettingsDraft>((draft, [path, value]) => draftWith(stored, draft, path, value), {})
}

describe('a draft of the settings', () => {
  it('sends what was changed, with its former value, and nothing else', () => {
    const draft = edit(['routes.MTN', 'hubnet'], ['smsDailyCap', ' 300 '], ['operatorPhone', '0241234567'])
    expect(changeSettingsRequest.parse(requestOf(stored, draft))).toEqual({
      routes: { MTN: 'hubnet' },
      smsDailyCap: 300,
      operatorPhone: '0241234567',
      seen: { routes: { MTN: 'by-hand' }, smsDailyCap: 500, operatorPhone: null },
    })
  })

  it('is empty once every change is undone', () => {
    expect(edit(['completeDelivered', true], ['completeDelivered', false], ['smsDailyCap', '5'], ['smsDailyCap', '0500'])).toEqual({})
  })

  it.each([
    ['smsDailyCap', '', 'Enter a whole number from 0 to 100000.'],
    ['smsDailyCap', '12.5', 'Enter a whole number from 0 to 100000.'],
    ['smsDailyCap', '100001', 'Enter a whole number from 0 to 100000.'],
    ['smsDigestAbove', '0', 'Enter a whole number from 1 to 1000.'],
    ['smsDigestAbove', 'five', 'Enter a whole number from 1 to 1000.'],
    ['operatorPhone', '024', 'Enter a phone number of exactly 10 digits, like 0241234567.'],
  ] as const)('with %s as %j says what is wrong with it, and is not sent', (path, text, message) => {
    const draft = edit([path, text], ['buyerSms', true])
    const { error } = changeSettingsRequest.safeParse(requestOf(stored, draft))
    expect(error?.issues.map((issue) => [issue.path.join('.'), issue.message])).toEqual([[path, message]])
  })

  it('shows what another admin changes elsewhere, and names what both have changed', () => {
    const draft = edit(['routes.MTN', 'remadata'], ['buyerSms', true])
    const meanwhile = valuesOf({ ...SETTINGS, routes: { ...SETTINGS.routes, MTN: 'hubnet' }, smsDailyCap: 100 })
    expect(withDraft(meanwhile, draft)).toMatchObject({ 'routes.MTN': 'remadata', buyerSms: true, smsDailyCap: '100' })
    expect(changedPaths(meanwhile, draft)).toEqual(['routes.MTN', 'buyerSms'])
    expect(contestedPaths(meanwhile, draft)).toEqual(['routes.MTN'])
    expect(changeSettingsRequest.parse(requestOf(meanwhile, draft)).seen).toEqual({ routes: { MTN: 'hubnet' }, buyerSms: false })
  })

  it('has nothing left to save when the other admin wants the same', () => {
    const draft = edit(['buyerSms', true])
    const meanwhile = valuesOf({ ...SETTINGS, buyerSms: true })
    expect([changedPaths(meanwhile, draft), contestedPaths(meanwhile, draft)]).toEqual([[], []])
    expect(draftOf(changedPaths(meanwhile, draft), draft)).toEqual({})
  })
})
