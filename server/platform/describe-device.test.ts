import { expect, test } from 'vitest'
import { describeDevice } from './describe-device.ts'

test.each([
  [
    'Mozilla/5.0 (Linux; Android 13; TECNO BF7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 Mobile Safari/537.36',
    'Chrome on Android',
  ],
  ['Opera/9.80 (Android; Opera Mini/70.0/191.308; U; en) Presto/2.12 Version/12.16', 'Opera Mini on Android'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_1 like Mac OS X) AppleWebKit/605.1.15 Version/17.1 Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
  ],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/120.0 Safari/537.36 Edg/120.0', 'Edge on Windows'],
  ['curl/8.5.0', null],
  [undefined, null],
])('%s is %s', (userAgent, words) => {
  expect(describeDevice(userAgent)).toBe(words)
})
